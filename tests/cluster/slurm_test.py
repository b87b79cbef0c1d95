#!/usr/bin/env python3
"""Programs in allocations of a Slurm whose daemons, of this machine alone, the test starts."""
import os
import pathlib
import re
import shutil
import socket
import subprocess
import tempfile
import time

from cluster_test import SCRIPTS, ClusterTest, main, skip

PROGRAMS = ("munged", "slurmctld", "slurmd", "sbatch", "salloc", "srun", "scontrol")
CONFIGURATION = """ClusterName=kasen
SlurmctldHost={host}(127.0.0.1)
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
CryptoType=crypto/munge
SlurmUser=root
SlurmdUser=root
SlurmctldPort={port}
SlurmdPort={next_port}
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
MpiDefault=none
ReturnToService=2
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SwitchType=switch/none
NodeName={host} NodeAddr=127.0.0.1 CPUs={cores} State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""


class Slurm:
    """The daemons, in a folder of their own."""

    def __init__(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="kasen-slurm-"))
        self.folder.chmod(0o755)
        self._daemons = []

    def start(self):
        """@return whether jobs can be run"""
        (self.folder / "state").mkdir()
        (self.folder / "spool").mkdir()
        key = self.folder / "munge.key"
        key.write_bytes(os.urandom(1024))
        key.chmod(0o600)
        port = free_port()
        text = CONFIGURATION.format(host=socket.gethostname().partition(".")[0], folder=self.folder, port=port,
                                    next_port=free_port(), cores=os.cpu_count())
        (self.folder / "slurm.conf").write_text(text, encoding="utf-8")
        os.environ["SLURM_CONF"] = str(self.folder / "slurm.conf")
        files = [f"--{name}={self.folder}/munge.{name.partition('-')[0]}" for name in
                 ("socket", "key-file", "pid-file", "log-file", "seed-file")]
        self._run("munged", "--foreground", "--force", *files)
        self._run("slurmctld", "-D")
        self._run("slurmd", "-D")
        for _ in range(40):
            time.sleep(0.5)
            done = subprocess.run(["sinfo", "-h", "-o", "%t"], capture_output=True, text=True, check=False)
            if done.stdout.strip() == "idle":
                return True
        return False

    def _run(self, *command):
        with open(self.folder / f"{command[0]}.out", "w", encoding="utf-8") as out:
            self._daemons.append(subprocess.Popen(command, stdout=out, stderr=out, stdin=subprocess.DEVNULL))

    def stop(self):
        for daemon in reversed(self._daemons):
            daemon.terminate()
            try:
                daemon.wait(timeout=10)
            except subprocess.TimeoutExpired:
                daemon.kill()
                daemon.wait()
        shutil.rmtree(self.folder, ignore_errors=True)


def free_port():
    with socket.socket() as some:
        some.bind(("127.0.0.1", 0))
        return some.getsockname()[1]


class SlurmTest(ClusterTest):
    def slurm(self, *command):
        done = subprocess.run([str(part) for part in command], env=self.variables(), stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, timeout=120, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout + done.stderr

    def said(self):
        path = self.folder / "job.out"
        return path.read_text(encoding="utf-8") if path.exists() else ""

    def submit(self, *options):
        out = self.slurm("sbatch", "--ntasks=2", "--oversubscribe", f"--output={self.folder}/job.out", *options,
                         SCRIPTS / "slurm.sh", *self.endless())
        return re.search(r"\d+", out)[0]

    def state(self, job):
        return re.search(r"JobState=(\w+)", self.slurm("scontrol", "show", "job", job))[1]

    def goes_on(self, job):
        """Slurm lets a job wait for two minutes that is queued again. This one is not to, but for some seconds: what was
        allowed to the first run is forbidden to a second one that starts at the same time."""
        if self.state(job) == "PENDING":
            time.sleep(4)
            self.slurm("scontrol", "update", f"JobId={job}", "StartTime=now")
            time.sleep(1)
        self.assertNotIn(self.state(job), ("FAILED", "CANCELLED"), self.said())
        return "resume: goes on from" in self.said()

    def test_an_allocation_has_its_workers(self):
        out = self.slurm("salloc", "--ntasks=2", SCRIPTS / "launch.sh", *self.pagerank(3))
        self.assertIn("61 vertices, 2 workers", out)

    def test_a_job_whose_time_is_over_goes_on(self):
        job = self.submit("--time=1", "--signal=B:TERM@55")  # that is 5 to 35 seconds from its beginning
        self.wait_until(lambda: "queued again" in self.said(), "the end of its time")
        self.assertIn("error: ended by signal 15", self.said())
        self.wait_until(lambda: self.goes_on(job), "its next beginning")
        self.slurm("scancel", job)
        self.wait_until(lambda: self.state(job) == "CANCELLED", "its end")
        time.sleep(2)
        self.assertEqual(self.said().count("queued again"), 1, self.said())

    def test_help_is_printed_outside_of_a_job(self):
        done = self.run_script("slurm.sh", "--help")
        self.assertEqual(done.returncode, 0)
        self.assertIn("Usage: sbatch", done.stdout)
        self.assertEqual(self.run_script("slurm.sh").returncode, 2)


if __name__ == "__main__":
    missing = [program for program in PROGRAMS if not shutil.which(program, path=f"{os.environ['PATH']}:/usr/sbin")]
    if missing or os.geteuid() != 0:
        skip(f"{', '.join(missing)} missing: apt-get install munge slurm-wlm" if missing else "Slurm is started by root only")
    os.environ["PATH"] += ":/usr/sbin"
    daemons = Slurm()
    try:
        if not daemons.start():
            skip("Slurm does not start here")
        main()
    finally:
        daemons.stop()
