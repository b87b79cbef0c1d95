#!/usr/bin/env python3
"""Programs on hosts that are network namespaces of this machine: what travels, what a lost host does, what is left."""
import os
import re
import signal
import subprocess

from cluster_test import PAGERANK, ClusterTest, main, skip


def output_of(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def spaces():
    """The namespaces of emulated hosts, and of their bridges."""
    return [line.split()[0] for line in output_of("ip", "netns", "list").splitlines() if line.startswith("kasen-")]


def processes_of(space):
    return output_of("ip", "netns", "pids", space).split()


def possible():
    """Why there can be no emulated hosts, or nothing."""
    if os.geteuid() != 0:
        return "only root may make network namespaces"
    try:
        subprocess.run(["ip", "netns", "add", "kasen-try"], capture_output=True, check=True)
        subprocess.run(["ip", "netns", "del", "kasen-try"], capture_output=True, check=True)
        subprocess.run(["tc", "-V"], capture_output=True, check=True)
    except (OSError, subprocess.CalledProcessError) as error:
        return f"no network namespaces here: {error}"
    return None


class EmulateTest(ClusterTest):
    def setUp(self):
        super().setUp()
        self.before = set(spaces())

    def new_spaces(self):
        """That of the bridge, then those of hosts."""
        return sorted(set(spaces()) - self.before)

    def sent_by(self, space):
        return int(output_of("ip", "netns", "exec", space, "cat", "/sys/class/net/kasen0/statistics/tx_bytes"))

    def test_what_is_sent_goes_over_the_links(self):
        process = self.start_script("emulate.sh", "--hosts", 3, "--rate", "10gbit", "--", *self.endless())
        self.wait_until(lambda: len(self.checkpoints()) == 2, "two checkpoints", process)
        enough = 300_000  # the launcher sends less than a fifth of that
        self.wait_until(lambda: min(map(self.sent_by, self.new_spaces()[1:])) > enough, "enough on each link", process)
        process.terminate()
        self.assertEqual(process.wait(timeout=120), 143, self.said())
        carried = dict(re.findall(r"(10\.231\.79\.\d) (\d+)", self.said()))
        self.assertEqual(len(carried), 3, self.said())
        for host, count in carried.items():
            self.assertGreater(int(count), enough, host)
        self.assertEqual(self.new_spaces(), [])

    def test_programs_end(self):
        """MPICH closes connections by asking the other side, which may have left."""
        for _ in range(5):
            done = self.run_script("emulate.sh", "--hosts", 3, "--rate", "10gbit", *self.pagerank(20), "--verify")
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            self.assertIn("verified", done.stdout)
        self.assertEqual(self.new_spaces(), [])

    def test_errors_come_through(self):
        done = self.run_script("emulate.sh", "--hosts", 1, PAGERANK, "--graph", self.folder / "none.txt")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertEqual(done.stderr.count("error: "), 1, done.stderr)
        self.assertEqual(self.new_spaces(), [])
        for arguments in ([], ["--hosts", "0", PAGERANK], ["--rate", "fast", PAGERANK], ["--hosts"],
                          ["--hosts", "3", "--workers", "2", PAGERANK]):
            self.assertEqual(self.run_script("emulate.sh", *arguments).returncode, 2, arguments)

    def test_a_lost_host_is_left_out(self):
        process = self.start_script("emulate.sh", "--hosts", 3, "--run-option", "--restarts", "--run-option", "1",
                                    "--run-option", "--probe", "--run-option", "1", *self.endless())
        self.wait_until(self.checkpoints, "a checkpoint", process)
        lost = next(space for space in self.new_spaces() if space.endswith("-2"))
        subprocess.run(["ip", "-n", lost, "link", "set", "kasen0", "down"], check=True)
        self.wait_until(lambda: "resume: goes on" in self.said(), "a restart", process)
        self.assertIn("of 3 hosts 2 answer, which get 2 workers: started again from its newest checkpoint", self.said())
        process.send_signal(signal.SIGTERM)
        self.assertEqual(process.wait(timeout=120), 143, self.said())
        self.assertEqual(self.new_spaces(), [])

    def test_a_request_reaches_all_hosts(self):
        process = self.start_script("emulate.sh", "--hosts", 2, *self.endless())
        self.wait_until(self.checkpoints, "a checkpoint", process)
        hosted = [pid for space in self.new_spaces() for pid in processes_of(space)]
        self.assertGreater(len(hosted), 2)
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(timeout=120), 130, self.said())
        self.assertIn("error: ended by signal 15", self.said())
        self.assertEqual(self.new_spaces(), [])
        self.assertFalse([pid for pid in hosted if os.path.exists(f"/proc/{pid}/exe")])

    def test_what_a_killed_call_leaves_is_removed_by_the_next(self):
        process = self.start_script("emulate.sh", "--hosts", 2, *self.endless())
        self.wait_until(self.checkpoints, "a checkpoint", process)
        process.kill()
        process.wait()
        left = self.new_spaces()
        hosted = [pid for space in left for pid in processes_of(space)]
        self.assertEqual(len(left), 3)
        self.assertEqual(self.run_script("emulate.sh", "--hosts", 1, *self.pagerank(3)).returncode, 0)
        self.assertEqual(self.new_spaces(), [])
        self.wait_until(lambda: not [pid for pid in hosted if os.path.exists(f"/proc/{pid}/exe")], "all processes gone")


if __name__ == "__main__":
    reason = possible()
    if reason:
        skip(reason)
    main()
