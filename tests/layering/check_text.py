#!/usr/bin/env python3
"""Checks that links of the pages lead to files and sections that exist, that words which have been retired are gone, that
passes of the optimizer say what holds before and after them, that a page names every public header, and that README.md
has the figures of docs/performance.md.
Usage: check_text.py ROOT"""
import re
import sys
from pathlib import Path

# What was renamed or is no word of the project, and what is said instead.
RETIRED = {
    r"\bDESIGN\b": "docs/model.md, or the paper",
    r"Optimizing Distributed Array|Optimizing Operator Fusion": "the paper; docs/papers.md names it",
    r"\bslaves?\b": "replica",
    r"\bghosts?\b": "replica",
    r"\b(partition_search|fusion_partition)\b": "component_search",
    r"optimizer/seconds\b": "optimizer/cost/time_model",
    r"\boptimizer/(states|symbols|recorded)\.h\b": "the stage's folder",
}
ALLOWED = {
    *(("docs/glossary.md", word) for word in ("slave", "ghost")),  # names it has elsewhere
    *(("docs/papers.md", title) for title in ("Optimizing Distributed Array", "Optimizing Operator Fusion")),
}
TEXT = {".h", ".cpp", ".c", ".md", ".txt", ".cmake", ".py", ".sh"}
LINK = re.compile(r"\]\(([^)#\s]*)(?:#([^)\s]*))?\)")


def lines_of(page, without=r"`[^`]*`"):
    """Numbered lines of a page without its code, and without what else is said."""
    code = False
    for number, line in enumerate(page.read_text().splitlines(), 1):
        if line.lstrip().startswith("```"):
            code = not code
        elif not code:
            yield number, re.sub(without, "", line)


def anchors_of(page):
    """What links name the sections of a page by: the words of their headings, joined by hyphens."""
    headings = (heading for _, heading in lines_of(page, r"[`*]") if heading.startswith("#"))
    return {re.sub(r"[^\w\- ]", "", heading.lstrip("# ").lower()).replace(" ", "-") for heading in headings}


def check_links(root):
    for page in sorted([*root.glob("*.md"), *root.glob("docs/**/*.md")]):
        for number, line in lines_of(page):
            for target, anchor in LINK.findall(line):
                if "://" in target:
                    continue
                to = page.parent / target if target else page
                where = f"{page.relative_to(root).as_posix()}:{number}"
                if not to.exists():
                    yield f"{where}: {target}: leads nowhere"
                elif anchor and anchor not in anchors_of(to):
                    yield f"{where}: {target}#{anchor}: no section is called that"


def check_words(root):
    skipped = {"build", ".git"}
    for path in sorted(root.rglob("*")):
        name = path.relative_to(root).as_posix()
        if path.suffix not in TEXT or not path.is_file() or name.split("/")[0] in skipped:
            continue
        if name.startswith("tests/layering/check_text"):
            continue
        for number, line in enumerate(path.read_text().splitlines(), 1):
            for word, instead in RETIRED.items():
                found = re.search(word, line)
                if found and (name, found[0].rstrip("s")) not in ALLOWED:
                    yield f"{name}:{number}: {found[0]}: say {instead}"


def check_passes(root):
    """Each pass of the optimizer has a header that says what holds before and after it."""
    source = (root / "optimizer/optimize.cpp").read_text()
    named = dict(re.findall(r'(k\w+)\{"([a-z-]+)"', source))
    parts = [part for loop in re.findall(r"const Pass& part : \{([^}]*)\}", source) for part in loop.split(", ")]
    listed = set(re.findall(r'\{"([a-z-]+)"', source)) - {named[part] for part in parts}
    for header in sorted(root.glob("optimizer/*/*.h")):
        text, name = header.read_text(), header.relative_to(root).as_posix()
        found = re.search(r"^/// Pass `([a-z-]+)`", text, re.M)
        if not found:
            continue
        if found[1] not in listed:
            yield f"{name}:2: {found[1]}: is not in optimizer/optimize.cpp"
        listed.discard(found[1])
        if not re.search(r"^/// Before: .*? After: ", text, re.M | re.S):
            yield f"{name}:2: {found[1]}: its header does not say what holds 'Before:' and 'After:'"
    for name in sorted(listed):
        yield f"optimizer/optimize.cpp:1: {name}: no header begins with this pass"


def check_headers(root):
    """Each public header stands in the table of docs/kasen.md."""
    page = (root / "docs/kasen.md").read_text()
    for header in sorted(root.glob("kasen/*.h")):
        if f"`{header.name}`" not in page:
            yield f"docs/kasen.md:1: {header.name}: is public, but not in the table"


def check_figures(root):
    """Each ratio that README.md gives beside the name of a table is a ratio of that table of docs/performance.md."""
    tables = dict(re.findall(r"^## `([\w-]+)`\n(.*?)(?=^## |\Z)", (root / "docs/performance.md").read_text(), re.M | re.S))
    row = re.compile(r"^\|[^|]*\| `([\w-]+)` \|([^|]*)\|$")
    rows = [(number, row.match(line)) for number, line in enumerate((root / "README.md").read_text().splitlines(), 1)]
    if not any(found for _, found in rows):
        yield "README.md:1: no row: names a table of docs/performance.md"
    for number, found in rows:
        if not found:
            continue
        ratios = re.findall(r"\| (\d+\.\d\d) \|$", tables.get(found[1], ""), re.M)
        for figure in re.findall(r"\d+\.\d\d", found[2]):
            if figure not in ratios:
                yield f"README.md:{number}: {figure}: is not in table `{found[1]}` of docs/performance.md"


if __name__ == "__main__":
    top = Path(sys.argv[1]).resolve()
    violations = [*check_links(top), *check_words(top), *check_passes(top), *check_headers(top), *check_figures(top)]
    print("\n".join(violations) or "links lead somewhere, words, passes, public headers and figures are as they should be")
    sys.exit(1 if violations else 0)
