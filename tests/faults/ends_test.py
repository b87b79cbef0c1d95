#!/usr/bin/env python3
"""How jobs end that are interrupted, killed, or started wrongly: soon, with a message and a status, and no file that is
not whole. Usage: ends_test.py KILLS LIBRARY KASEN_RUN WORKERS COMMAND...

KILLS workers are killed at random moments; KASEN_SEED chooses them (by default 1). LIBRARY is failing_calls.cpp.
"""
import fcntl
import os
import pathlib
import random
import signal
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
from faulty_runs import ALONE, PROGRAMS, SECONDS, FaultyRuns
from launched_program import LaunchedProgramTest, main
from processes import descendants, runs_program

KILLS, LIBRARY, KASEN_RUN = int(sys.argv[1]), sys.argv[2], sys.argv[3]
SEED = int(os.environ.get("KASEN_SEED", "1"))
SLOW = "20000"  # microseconds that each write takes, so that many signals meet one


def rank_of(pid):
    for variable in pathlib.Path(f"/proc/{pid}/environ").read_bytes().split(b"\0"):
        if variable.startswith(b"PMI_RANK="):
            return int(variable.partition(b"=")[2])
    raise RuntimeError(f"process {pid} is no worker")


class EndsTest(LaunchedProgramTest):
    def start(self, runs, launcher=None, **environment):
        runs.clear()
        command = runs.command() if launcher is None else [*launcher, *runs.program]
        return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL,
                                text=True, env=runs.environment(KASEN_FAULTS_SLOW=SLOW, **environment))

    def finish(self, process):
        """@return seconds it took, standard output, standard error"""
        start = time.monotonic()
        try:
            out, error = process.communicate(timeout=SECONDS)
        except subprocess.TimeoutExpired:
            for pid in [*descendants(process.pid), process.pid]:
                os.kill(pid, signal.SIGKILL)
            process.communicate()
            self.fail(f"still running {SECONDS} s after the signal")
        return time.monotonic() - start, out, error

    def program(self, name="pagerank"):
        launcher = self.command[:-1]
        runs = FaultyRuns(name, self.workers, launcher, LIBRARY, pathlib.Path(self.command[-1]).parent)
        self.addCleanup(runs.remove)
        return runs

    def workers_of(self, process, name):
        """The workers' processes, as soon as all are there; [] if the run is over."""
        for _ in range(2000):
            found = [pid for pid in descendants(process.pid) if runs_program(pid, name)]
            if len(found) == self.workers:
                return found
            if process.poll() is not None:
                return []
            time.sleep(0.005)
        self.fail("the workers did not start")
        return []

    def wait_for_temporary(self, runs, process):
        """Until something is being written, or the run is over."""
        while process.poll() is None and not list(runs.out.glob(".*.partial")):
            time.sleep(0.002)

    def test_signal_to_the_launcher_while_writing(self):
        runs = self.program()
        runs.clean_run()
        for number in (signal.SIGINT, signal.SIGTERM) * max(1, KILLS // 10):
            for _ in range(10):  # a run may be over before the signal arrives
                with self.start(runs) as process:
                    self.wait_for_temporary(runs, process)
                    process.send_signal(number)
                    _, _, error = self.finish(process)
                self.assertEqual(runs.half_files(), [], number)
                self.assertEqual(list(runs.out.glob(".*")), [], number)
                if error:
                    break
            # The status is the launcher's, which may be 0; kasen-run's is not.
            messages = [line for line in error.splitlines() if line.startswith("error: ")]
            self.assertEqual(messages, [f"error: ended by signal {number.value} ({number.name})"])

    def test_signal_to_kasen_run(self):
        runs = self.program()
        runs.clean_run()
        for number in (signal.SIGINT, signal.SIGTERM):
            for _ in range(10):  # a run may be over before the signal arrives
                with self.start(runs, [KASEN_RUN, "-n", str(self.workers)], LD_PRELOAD=LIBRARY) as process:
                    self.wait_for_temporary(runs, process)
                    process.send_signal(number)
                    self.finish(process)
                self.assertEqual(runs.half_files(), [])
                if process.returncode != 0:
                    break
            self.assertEqual(process.returncode, 128 + number)

    def test_signal_to_one_worker(self):
        runs = self.program()
        runs.clean_run()
        for number in (signal.SIGTERM, signal.SIGSEGV):
            with self.start(runs) as process:
                pids = self.workers_of(process, "pagerank")
                self.wait_for_temporary(runs, process)
                os.kill(pids[-1], number)
                _, _, error = self.finish(process)
            self.assertNotEqual(process.returncode, 0)
            self.assertEqual(runs.half_files(), [])
            self.assertIn(f"signal {number.value} ({number.name}", error)

    def test_kasen_run_names_the_worker_that_was_killed(self):
        runs = self.program()
        runs.program[runs.program.index("--iterations") + 1] = "1000000000"
        for number in range(self.workers):
            with self.start(runs, [KASEN_RUN, "-n", str(self.workers)], LD_PRELOAD="") as process:
                workers = {rank_of(pid): pid for pid in self.workers_of(process, "pagerank")}
                time.sleep(2)  # while MPI starts, the launcher fails too
                os.kill(workers[number], signal.SIGKILL)
                _, _, error = self.finish(process)
            self.assertEqual(process.returncode, 128 + signal.SIGKILL, error)
            self.assertEqual(error, f"{pathlib.Path(KASEN_RUN).name}: worker {number} was killed by signal 9 (KILL)\n")

    def test_killed_at_any_moment(self):
        """No file under a final name that is not whole; what is left under another name, the next run removes."""
        chance = random.Random(SEED)
        names = [name for name in PROGRAMS if name not in ALONE]
        programs = {name: self.program(name) for name in names[:KILLS]}
        typical = {}
        for name, runs in programs.items():
            runs.clean_run()
            start = time.monotonic()
            with self.start(runs) as process:
                process.communicate()
            typical[name] = time.monotonic() - start
        left, killed, slowest = 0, 0, 0.0
        for kill in range(KILLS):
            name = names[kill % len(programs)]
            runs = programs[name]
            with self.start(runs) as process:
                pids = self.workers_of(process, name)
                if kill % 2 == 1:  # at any moment of writing, else at any moment at all
                    self.wait_for_temporary(runs, process)
                    time.sleep(chance.uniform(0, 0.1))
                else:
                    time.sleep(chance.uniform(0, typical[name]))
                victim = chance.choice(pids) if pids else 0
                if pids and process.poll() is None and runs_program(victim, name):
                    os.kill(victim, signal.SIGKILL)
                    killed += 1
                seconds, _, _ = self.finish(process)
            slowest = max(slowest, seconds)
            temporaries = [path.name for path in runs.out.glob(".*.partial")]
            problems = [problem for problem in runs.half_files() if problem.startswith("half")]
            self.assertEqual(problems, [], f"{name}, kill {kill} of seed {SEED}")
            if temporaries:
                left += 1
                runs.run(keep=True)
                self.assertEqual(runs.half_files(), [], f"{name} after kill {kill} of seed {SEED}")
        print(f"seed {SEED}: {killed} of {KILLS} runs were killed in time; {left} had begun to write, and the next run "
              f"removed what they left; the slowest ended after {slowest:.1f} s")
        self.assertGreater(killed, KILLS // 8)  # a run may be over before, but not nearly every one

    def test_what_a_killed_run_left_is_removed(self):
        runs = self.program()
        runs.clean_run()
        host = os.uname().nodename[:31]
        dead, alive = (runs.out / f".ranks.h5.{host}-{number}.partial" for number in ("1-2", "3-4"))
        dead.touch()
        with open(alive, "wb") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            runs.run(keep=True)
        self.assertEqual((dead.exists(), alive.exists()), (False, True))

    def test_started_by_another_launcher(self):
        for size, rank in (("OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK"), ("SLURM_STEP_NUM_TASKS", "SLURM_PROCID")):
            runs = self.program()
            runs.launcher = []
            for number, lines in ((0, 1), (1, 0)):
                with self.start(runs, [], **{size: "2", rank: str(number)}) as process:
                    _, out, error = self.finish(process)
                self.assertEqual((process.returncode, out), (2, ""))
                self.assertEqual(error.count("error: this is one of 2 processes"), lines)
                self.assertEqual(error.count("\n"), lines, error)
                self.assertEqual(list(runs.out.iterdir()), [])

    def test_pipes_are_refused(self):
        pipe = self.folder / "pipe"
        os.mkfifo(pipe)
        graph = self.file("graph.txt", "1 2\n2 1\n")
        irregular = f"{pipe}: is not a regular file, which is needed to read it in parallel"
        for status, message, *arguments in ((1, irregular, "--graph", graph, "--profile", pipe),
                                            (1, irregular, "--graph", pipe),
                                            (1, f"{graph}: has no vertex '{pipe}'", "--graph", graph, "--sources",
                                             pipe),
                                            (2, f"--partition: '{pipe}' is not one of", "--graph", graph, "--partition",
                                             pipe)):
            run = self.run_program(*arguments, seconds=20)
            self.assertEqual((run.returncode, run.stderr.count("\n")), (status, 1), run.stderr)
            self.assertIn(f"error: {message}", run.stderr)
        analyze = [str(pathlib.Path(self.command[-1]).parent / "kasen-analyze"), str(pipe)]
        run = subprocess.run(analyze, capture_output=True, text=True, timeout=20, check=False)
        self.assertEqual((run.returncode, run.stderr.count("is not a regular file")), (1, 1))


if __name__ == "__main__":
    del sys.argv[1:4]
    main(EndsTest)
