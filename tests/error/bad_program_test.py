#!/usr/bin/env python3
"""Programs with a mistake: one message, with the line at fault, exit status 1, and nobody hangs.

Usage: bad_program_test.py WORKERS COMMAND...
"""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
from launched_program import LaunchedProgramTest, main

SOURCE = pathlib.Path(__file__).with_name("bad_program.cpp")


class BadProgramTest(LaunchedProgramTest):
    def refuse(self, how, what, *options, messages=1):
        line = next(number for number, text in enumerate(SOURCE.read_text(encoding="utf-8").splitlines(), 1)
                    if text.endswith(f"// {how}"))
        run = self.run_program(how, *options, seconds=40)
        self.assertEqual(run.returncode, 1, run.stdout + run.stderr)
        errors = [text for text in run.stderr.splitlines() if text.startswith("error: ")]
        self.assertEqual(len(errors), messages, run.stderr)
        for error in errors:
            self.assertIn(f"bad_program.cpp:{line}: ", error)
            self.assertIn(what, error)

    def test_functions_that_throw(self):
        self.refuse("element", "the function threw: no seven")
        self.refuse("locals", "the function threw")
        self.refuse("apply", "the function threw: no seven")
        self.refuse("reduction", "the function threw: no seven")
        self.refuse("thrown text", "the function threw an unknown exception")
        self.refuse("exit in a function", "the function calls exit")

    def test_keys_that_are_too_large(self):
        self.refuse("key of one worker", "[reduce_by_key(plus)] element 11 has the key 12, and keys are 0 to 11, or ")
        self.refuse("keys of all", "[take] element 0 has the key 5, and keys are 0 to 4, or negative where there is ")
        for threads in "1", "3":
            self.refuse("key far away", "element 99990 has the key 99990, and keys are 0 to 7", "--threads", threads)
        self.refuse("keys of another length", "[reduce_by_key] lengths differ: vector 1 has 11, vector 2 has 12")

    def test_batches_that_are_none(self):
        self.refuse("no such batch", "[batch] there is no batch 2: batches are 0 to 1")

    def test_functions_on_several_threads(self):
        for threads in "1", "2", "4":
            options = "--threads", threads
            self.refuse("far elements", "the function threw: no seven", *options)
            self.refuse("exit far away", "the function calls exit", *options)
            self.refuse("get far away", "not allowed in a function of elements", *options)
            self.refuse("reduction", "the function threw: no seven", *options)

    def test_exit(self):
        self.assertEqual(self.run_program("exit").returncode, 4)
        for how, first in (("exit alone", "computes a result"), ("exit at the end", "is at the end of the program"),
                           ("exit after finish", "is at the end of the program")):
            alone = self.run_program(how, seconds=40)
            if self.workers == 1:
                self.assertEqual(alone.returncode, 4)
                continue
            self.assertEqual(alone.returncode, 1, how)
            self.assertEqual(len(alone.stderr.splitlines()), 1, alone.stderr)
            other = 1 if how == "exit alone" else self.workers - 1
            self.assertIn(f"worker 0 {first} while worker {other} calls exit", alone.stderr)

    def test_errors_that_main_catches(self):
        """The session has ended by them, and nobody has compared that."""
        self.assertEqual(self.run_program("caught by all").returncode, 5)
        own = self.run_program("caught outside", seconds=40)
        if self.workers == 1:
            self.assertEqual(own.returncode, 5)
        else:
            self.assertEqual(own.returncode, 1)
            self.assertEqual(own.stderr, "error: a worker has ended after an error of its own\n")

    def test_functions_that_ask_for_more(self):
        self.refuse("get", "not allowed in a function of elements")
        self.refuse("record", "the function threw")

    def test_sessions(self):
        self.refuse("second", "a second session")
        # Without MPI workers do not know of each other.
        self.refuse("none", "no kasen::Session is alive", messages=self.workers)
        self.assertEqual(self.run_program("outlives").returncode, 0)

    def test_output_that_the_program_does_not_write(self):
        path = self.folder / "result.h5"
        for before in (False, True):
            if before:
                path.write_text("as it was", encoding="utf-8")
            run = self.run_program("nothing", "--output", path)
            self.assertEqual((run.returncode, run.stderr),
                             (0, f"warning: --output {path}: the program has written nothing there\n"))


if __name__ == "__main__":
    main(BadProgramTest)
