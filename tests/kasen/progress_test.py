#!/usr/bin/env python3
"""What people see of a running program, on terminals and in logs. Usage: progress_test.py WORKERS COMMAND..."""
import fcntl
import os
import pathlib
import pty
import re
import struct
import subprocess
import sys
import termios

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
from launched_program import SECONDS, LaunchedProgramTest, main

ITERATIONS = 16
VALUE = r"residual -?\d+(\.\d+)?(e[+-]\d+)?"
LEFT = r"(, [\d.]+ s left at most)?"
LINE = rf"iteration \d+ of {ITERATIONS}, {VALUE}{LEFT}"
BAR = r"\[=* *\] "


def lines_on_screen(output, columns):
    """What stands on a terminal in the end, and how often a line was too long for it."""
    lines, column, wrapped = [[]], 0, 0
    for character in output:
        if character == "\r":
            column = 0
        elif character == "\n":
            lines.append([])  # the driver has sent a \r too
        else:
            if column == columns:
                lines.append([])
                column, wrapped = 0, wrapped + 1
            lines[-1][column:column + 1] = character
            column += 1
    return ["".join(line).rstrip() for line in lines], wrapped


class ProgressTest(LaunchedProgramTest):
    def on_terminal(self, *arguments, columns, resized=None, launcher=False, iterations=ITERATIONS):
        """Exit status and raw output of the program; once it has drawn something, the terminal is resized."""
        command = [*(self.command if launcher else self.command[-1:]), "--iterations", str(iterations), *arguments]
        terminal, end = pty.openpty()

        def resize(to):
            fcntl.ioctl(end, termios.TIOCSWINSZ, struct.pack("HHHH", 24, to, 0, 0))

        resize(columns)
        output = b""
        with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=end, stderr=end, start_new_session=True) as run:
            if resized is None:
                os.close(end)
            while True:
                try:
                    piece = os.read(terminal, 65536)
                except OSError:  # nobody writes to it any more
                    break
                output += piece
                if resized is not None and output:
                    resize(resized)
                    os.close(end)
                    resized = None
            run.wait(SECONDS)
        os.close(terminal)
        text = output.decode("utf-8")
        self.assertTrue(all(character.isprintable() or character in "\r\n" for character in text), repr(text))
        return run.returncode, text

    def screen(self, *arguments, columns, shown=None, **options):
        """Lines that are left on a terminal that none of them was too long for."""
        status, text = self.on_terminal(*arguments, columns=columns, **options)
        lines, wrapped = lines_on_screen(text, shown or columns)
        self.assertEqual(wrapped, 0, repr(text))
        self.assertEqual(lines.pop(), "", repr(text))  # ends with a line's end
        return status, lines

    def test_bar(self):
        if self.workers > 1:
            self.skipTest("launchers give no terminal")
        status, lines = self.screen(columns=100)
        self.assertEqual((status, len(lines), lines[-1]), (0, 2, f"ended after {ITERATIONS}"))
        self.assertRegex(lines[0], f"^{BAR}{LINE}$")
        _, text = self.on_terminal("--progress", columns=100)
        drawn = text.split("\r\n")[0].split("\r")[1:]
        self.assertGreater(len(drawn), 1)
        iterations = [int(re.search(r"iteration (\d+)", line).group(1)) for line in drawn]
        self.assertEqual(iterations, sorted(set(iterations)))
        for before, after in zip(drawn, drawn[1:]):
            self.assertRegex(after.rstrip(), f"^{BAR}{LINE}$")
            self.assertGreaterEqual(len(after), len(before.rstrip()))  # nothing of it is left
        status, lines = self.screen("--unknown", columns=100)
        self.assertRegex(lines[0], rf"^iteration \d+, {VALUE}$")
        self.assertEqual(lines[1:], [f"ended after {ITERATIONS}"])

    def test_width(self):
        """Narrow terminals have no bar, and as much of the line as there is room for; those of no known width have 80."""
        if self.workers > 1:
            self.skipTest("launchers give no terminal")
        for columns, iterations, expected in ((40, ITERATIONS, r"^iteration \d+ of 16, residual "),
                                              (20, ITERATIONS, r"^iteration \d+ of 16"), (5, 3, "^iter$"), (1, 3, "^$")):
            with self.subTest(columns=columns):
                _, text = self.on_terminal(columns=columns, iterations=iterations)
                bars = text[:text.index("ended")]
                lines, wrapped = lines_on_screen(bars, columns)
                self.assertEqual((wrapped, len(lines)), (0, 2), repr(text))
                self.assertRegex(lines[0], expected)
        _, lines = self.screen(columns=0, shown=80, iterations=3)
        self.assertRegex(lines[0], "^.*iteration ")

    def test_resizing(self):
        if self.workers > 1:
            self.skipTest("launchers give no terminal")
        for columns, resized in ((100, 24), (24, 100)):
            with self.subTest(columns=columns):
                _, text = self.on_terminal(columns=columns, resized=resized)
                first, *later = text.split("\r\n")[0].split("\r")[1:]
                self.assertLess(len(first), columns)
                self.assertGreater(len(later), 0)
                for line in later:
                    self.assertLess(len(line), resized)
                    self.assertEqual(line.startswith("["), resized == 100)
                self.assertEqual(text.split("\r\n")[1:], [f"ended after {ITERATIONS}", ""])

    def test_errors(self):
        """What is said of an error begins on a line of its own."""
        if self.workers > 1:
            self.skipTest("launchers give no terminal")
        status, lines = self.screen("--fail-in", "9", columns=400)
        self.assertEqual((status, len(lines)), (1, 2), lines)
        self.assertRegex(lines[0], f"^{BAR}{LINE}$")
        self.assertRegex(lines[1], "^error: .*the loop failed as asked")

    def test_quiet(self):
        for launcher in (False, True)[self.workers > 1:]:
            for options in (["--quiet"], ["--quiet", "--progress"]):
                self.assertEqual(self.on_terminal(*options, columns=100, launcher=launcher, iterations=2), (0, ""))

    def test_launchers(self):
        """Between workers and a terminal there is a pipe: no bar, and lines if they are asked for."""
        ended = f"ended after {ITERATIONS}"
        self.assertEqual(self.on_terminal(columns=100, launcher=True), (0, ended + "\r\n"))
        status, lines = self.screen("--progress", columns=100, launcher=True)
        self.assertEqual((status, lines.pop()), (0, ended))
        self.assertGreater(len(lines), 1)
        for line in lines:
            self.assertRegex(line, f"^{LINE}$")

    def test_logs(self):
        self.assertEqual(self.succeed("--iterations", 2), ("ended after 2\n", ""))
        out, log = self.succeed("--iterations", ITERATIONS, "--progress")
        self.assertEqual(out, f"ended after {ITERATIONS}\n")
        self.assertRegex(log, f"^({LINE}\n){{2,}}$")
        self.assertEqual(self.succeed("--iterations", 2, "--progress", "--quiet"), ("", ""))
        run = self.run_program("--iterations", ITERATIONS, "--progress", "--fail-in", 9)
        self.assertEqual(run.returncode, 1)
        self.assertRegex(run.stderr, f"^({LINE}\n)+error: [^\n]*the loop failed as asked[^\n]*\n")


if __name__ == "__main__":
    main(ProgressTest)
