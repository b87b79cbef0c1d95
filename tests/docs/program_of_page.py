#!/usr/bin/env python3
"""The program that a page of docs/ shows, the block of C++ with `main`, and what the page says that it prints.

Usage: program_of_page.py PAGE.md write FILE.cpp | program_of_page.py PAGE.md run LAUNCHER... PROGRAM
"""
import pathlib
import re
import subprocess
import sys


def program_of(page):
    """The C++ of the page, and the text block that follows it."""
    blocks = re.findall(r"^```(\w+)\n(.*?)^```$", page, re.M | re.S)
    (at,) = (k for k, (language, text) in enumerate(blocks) if language == "cpp" and "int main(" in text)
    language, printed = blocks[at + 1]
    assert language == "text", "the page does not say what the program prints"
    return blocks[at][1], printed


def main(page, action, *words):
    program, printed = program_of(pathlib.Path(page).read_text(encoding="utf-8"))
    if action == "write":
        pathlib.Path(words[0]).write_text(program, encoding="utf-8")
        return
    found = subprocess.run(words, check=True, capture_output=True, text=True).stdout
    assert found == printed, f"the page says\n{printed}\nand the program\n{found}"


if __name__ == "__main__":
    main(*sys.argv[1:])
