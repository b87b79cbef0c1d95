#!/usr/bin/env python3
"""Proves that check_text.py can fail: of a small tree every bad link and retired word is reported, and nothing else."""
import sys
import tempfile
from pathlib import Path

from check_text import check_figures, check_headers, check_links, check_passes, check_words

FILES = {
    "README.md": "# Top `3` of *all*\n[a](docs/a.md) and [here](#top-3-of-all) and [there](#there) and [the web](https://example.org) and [b](docs/absent.md)\n| one | `t` | 0.61 and 0.62; 0.63 |\n| two | `u` | 0.61 |\n",
    "docs/a.md": "```\n[](auto x)\n```\n`[](auto x)` [up](../README.md#top-3-of-all) [low](../README.md#low)\n\n[none](none.md)\n",
    "docs/glossary.md": "The paper calls it a slave.\n",
    "comm/a.h": "// as DESIGN has it\n// two slaves\n// designed\n",
    "build/b.h": "// DESIGN\n",
    "docs/kasen.md": "| `a.h` |\n",
    "docs/performance.md": "## `s`\n| a | 0.62 |\n## `t`\n| a | 0.63 | 0.61 |\n| b | 1.2 | 0.63 |\n",
    "kasen/a.h": "",
    "kasen/b.h": "",
    "optimizer/optimize.cpp": '{"one", a}, {"two", b}, {"four", c}, kFuse{"fuse", c}\nfor (const Pass& part : {kFuse})\n',
    "optimizer/a/one.h": "/// @file\n/// Pass `one`: a.\n\n/// Before: b.\n/// And c. After: d.\n",
    "optimizer/a/two.h": "/// @file\n/// Pass `two`: a.\n\n/// Before: b.\n",
    "optimizer/b/three.h": "/// @file\n/// Pass `three`: a.\n\n/// Before: b. After: c\n",
}
LINKS = {("README.md:2", "docs/absent.md"), ("README.md:2", "#there"), ("docs/a.md:4", "../README.md#low"),
         ("docs/a.md:6", "none.md")}
PASSES = {("optimizer/a/two.h:2", "two"), ("optimizer/b/three.h:2", "three"), ("optimizer/optimize.cpp:1", "four")}
FIGURES = {("README.md:3", "0.62"), ("README.md:4", "0.61")}
EXPECTED = LINKS | PASSES | FIGURES | {("docs/kasen.md:1", "b.h")} | {("comm/a.h:1", "DESIGN"), ("comm/a.h:2", "slaves")}


def main():
    with tempfile.TemporaryDirectory() as directory:
        root = Path(directory)
        for name, text in FILES.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(text)
        reported = {tuple(line.split(": ")[:2]) for line in
                    [*check_links(root), *check_words(root), *check_passes(root), *check_headers(root),
                     *check_figures(root)]}
    print("\n".join(f"{'not' if one in EXPECTED else 'wrongly'} reported: {one}" for one in sorted(reported ^ EXPECTED)))
    return 1 if reported != EXPECTED else 0


if __name__ == "__main__":
    sys.exit(main())
