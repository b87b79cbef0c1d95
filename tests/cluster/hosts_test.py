#!/usr/bin/env python3
"""What kasen-run says of hosts before it starts a program there. Hosts here are names for this machine, which a script
in place of ssh makes differ."""
import os
import subprocess

from cluster_test import PAGERANK, SCRIPTS, ClusterTest, main

SSH = """#!/usr/bin/env bash
while [[ $1 == -* ]]; do shift; done
host=$1 command=$2
case $host in
  silent) echo "no route to $host" >&2; exit 255 ;;
  empty) command=${command//graph.txt/nothing.txt} ;;
  other) command=${command//graph.txt/other.txt} ;;
  bare) command=${command//pagerank/nothing} ;;
  elsewhere) command="cd /nowhere || { echo no folder; exit; }" ;;
esac
exec bash -c "$command"
"""


class HostsTest(ClusterTest):
    def setUp(self):
        super().setUp()
        ssh = self.folder / "ssh"
        ssh.write_text(SSH, encoding="utf-8")
        ssh.chmod(0o755)
        self.environment = {"HYDRA_LAUNCHER_EXEC": str(ssh)}
        (self.folder / "other.txt").write_text(self.graph.read_text(encoding="utf-8") + "1 2\n", encoding="utf-8")

    def run_on(self, hosts, *options):
        file = self.folder / "hosts"
        file.write_text(hosts, encoding="utf-8")
        done = self.run_script("launch.sh", "--hosts", file, *options, *self.pagerank(3))
        return done.returncode, done.stderr.splitlines()

    def test_an_earlier_resume_gives_way(self):
        done = subprocess.run(["bash", "-c", 'source "$0"; without_resume "$@"; printf "%s|" "${arguments[@]}"',
                               SCRIPTS / "runs.sh", "a", "--resume", "old", "b c", "--resume=older", "--resumes"],
                              capture_output=True, text=True, check=True)
        self.assertEqual(done.stdout, "a|b c|--resumes|")

    def test_folders_of_checkpoints_may_have_any_name(self):
        saved = self.folder / "run[1] *"
        saved.mkdir()
        for expected in (1, 0):
            done = subprocess.run(["bash", "-c", 'source "$0"; has_checkpoint "$1"', SCRIPTS / "runs.sh", saved],
                                  check=False)
            self.assertEqual(done.returncode, expected)
            (saved / "checkpoint-00000001.h5").touch()

    def test_hosts_that_cannot_be_used_are_named(self):
        for host, message in {
                "silent": "host silent does not answer: no route to silent",
                "empty": f"host empty has no {self.graph}",
                "other": f"host other has another {self.graph}",
                "elsewhere": f"host elsewhere has no folder {os.getcwd()}",
        }.items():
            with self.subTest(host=host):
                self.assertEqual(self.run_on(f"good:2\n{host}:2\n"), (1, [f"launch.sh: {message}"]))

    def test_files_that_the_program_writes_are_not_compared(self):
        file = self.folder / "hosts"
        file.write_text("other\nsilent\n", encoding="utf-8")
        convert, generate = (os.path.join(os.path.dirname(PAGERANK), f"kasen-{name}") for name in ("convert", "generate"))
        for written in (  # an old one, of which `other` has another
                [PAGERANK, "--report", self.graph],
                [PAGERANK, f"--report={self.graph}"],
                [convert, self.folder, self.graph],
                [convert, __file__, "--partition", __file__, self.graph, "--labels", self.graph],
                [generate, "rmat", self.graph, f"--weights={self.graph}"],
        ):
            done = self.run_script("launch.sh", "--hosts", file, *written)
            self.assertEqual(done.stderr.splitlines(), ["launch.sh: host silent does not answer: no route to silent"])

    def test_a_program_that_is_missing_is_named(self):
        status, lines = self.run_on("bare\n")
        self.assertEqual(status, 1)
        self.assertRegex(lines[0], "^launch.sh: host bare has no .*pagerank$")

    def test_all_that_is_wrong_is_said(self):
        status, lines = self.run_on("silent\nother\nempty\n")
        self.assertEqual((status, len(lines)), (1, 3))

    def test_files_of_hosts_are_read_strictly(self):
        for text, message in {
                "one two\n": "'one two' is no HOST, and no HOST:SLOTS",
                "\n# none\none:0\n": "'one:0' is no HOST, and no HOST:SLOTS",
                "one:x\n": "'one:x' is no HOST, and no HOST:SLOTS",
                "-oProxyCommand=x\n": "'-oProxyCommand=x' is no HOST, and no HOST:SLOTS",
        }.items():
            with self.subTest(text=text):
                status, lines = self.run_on(text)
                self.assertEqual(status, 2)
                self.assertIn(message, lines[0])
        self.assertEqual(self.run_on("# none\n")[0], 2)
        status, lines = self.run_on("good\n", "--probe", 1)
        self.assertEqual(status, 2)
        self.assertIn("--probe is for --restarts on several hosts", lines[0])
        self.assertEqual(self.run_script("launch.sh", "--hosts", self.folder / "none", *self.pagerank(3)).returncode, 2)


if __name__ == "__main__":
    main()
