#!/usr/bin/env python3
"""Takes a fix back: an altered copy of a source file, for a test that must then fail.

Usage: mutate.py MUTANT ROOT OUTPUT

MUTANT is a text of the form
    # why
    FILE
    <<<<<<<
    what stands there
    =======
    what should
    >>>>>>>
with any number of changes; what stands there must do so exactly once. ROOT is the folder that FILE is in.
"""
import pathlib
import re
import sys

CHANGE = re.compile(r"^<<<<<<<\n(.*?\n)=======\n(.*?)>>>>>>>\n", re.MULTILINE | re.DOTALL)


def altered(mutant, root):
    """The text of the altered copy."""
    text = pathlib.Path(mutant).read_text()
    lines = [line for line in text.split("<<<<<<<\n", 1)[0].splitlines() if line and not line.startswith("#")]
    assert len(lines) == 1, f"{mutant}: one file, then its changes"
    source = (pathlib.Path(root) / lines[0]).read_text()
    changes = CHANGE.findall(text)
    assert changes, f"{mutant}: no changes"
    for old, new in changes:
        count = source.count(old)
        assert count == 1, f"{mutant}: stands {count} times in {lines[0]}, not once:\n{old}"
        source = source.replace(old, new)
    return source


def main(mutant, root, output):
    source = altered(mutant, root)
    path = pathlib.Path(output)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(source)


if __name__ == "__main__":
    main(*sys.argv[1:])
