"""docs/performance.md: a section for each table, in which the table is replaced when it is measured again."""
import subprocess
import textwrap

from runs import ROOT

WIDTH = 120
MEASURED = "*Measured: "


def version():
    """The commit of this folder; with -dirty where something has been changed since."""
    done = subprocess.run(["git", "describe", "--always", "--dirty", "--exclude=*"], cwd=ROOT, capture_output=True,
                          text=True, check=False)
    return f"commit {done.stdout.strip()}" if done.returncode == 0 else "unknown commit"


def row_of(cells):
    return f"| {' | '.join(map(str, cells))} |"


def lines_of(columns, rows):
    """A table in Markdown."""
    return [row_of(columns), f"|{'---|' * len(columns)}", *map(row_of, rows)]


def with_table(page, name, measured, columns, rows):
    """The text of a page whose section of that name has these rows in place of its first table, and above them what they
    were measured on. Raises ValueError if the page has no such section, or the section no table."""
    lines = page.split("\n")
    heading = f"## `{name}`"
    if heading not in lines:
        raise ValueError(f"no section is called {name}")
    begin = lines.index(heading)
    end = next((k for k in range(begin + 1, len(lines)) if lines[k].startswith("## ")), len(lines))
    table = [k for k in range(begin, end) if lines[k].startswith("|")]
    if not table:
        raise ValueError(f"the section {name} has no table")
    first = last = table[0]
    while last < end and lines[last].startswith("|"):
        last += 1
    stamped = [k for k in range(begin, first) if lines[k].startswith(MEASURED)]
    above = lines[begin:stamped[0] if stamped else first]
    stamp = textwrap.wrap(f"{MEASURED}{measured}.*", WIDTH, break_long_words=False, break_on_hyphens=False)
    return "\n".join([*lines[:begin], *above, *stamp, "", *lines_of(columns, rows), *lines[last:]])
