#!/usr/bin/env python3
"""kasen-report and `kasen-analyze --html`: what is in their pages, and what a browser shows of them.

Usage: report_test.py KASEN_REPORT KASEN_ANALYZE WORKERS COMMAND...
"""
import copy
import html.parser
import json
import pathlib
import random
import re
import struct
import subprocess
import sys
import unittest
import zlib

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
from browser import CHROMIUM, Browser
from launched_program import LaunchedProgramTest, main

REPORT, ANALYZE = sys.argv.pop(1), sys.argv.pop(1)
PAGE = pathlib.Path(__file__).parents[2] / "apps" / "report" / "page"
ODD = "</script><script>document.title='changed'</script><!-- & \" ' \\ é \u2028 @STYLE@ {{x}}"


class Page(html.parser.HTMLParser):
    """The elements of a page, and the text of each script."""

    def __init__(self, path):
        super().__init__()
        self.elements, self.scripts, self.text = [], [], path.read_text(encoding="utf-8")
        self.feed(self.text)

    def handle_starttag(self, tag, attributes):
        self.elements.append((tag, dict(attributes)))
        if tag == "script":
            self.scripts.append("")

    def handle_data(self, data):
        if self.lasttag == "script" and self.cdata_elem == "script":
            self.scripts[-1] += data


def pixels(path):
    """The colours of a picture in PNG, as a list of rows of (red, green, blue)."""
    data, position, packed, header = path.read_bytes(), 8, b"", None
    while position < len(data):
        length, kind = struct.unpack(">I4s", data[position:position + 8])
        content = data[position + 8:position + 8 + length]
        if kind == b"IHDR":
            header = struct.unpack(">IIBBBBB", content)
        elif kind == b"IDAT":
            packed += content
        position += 12 + length
    width, height, depth, color = header[:4]
    assert depth == 8 and color in (2, 6), header
    size = 3 if color == 2 else 4
    raw, rows, last = zlib.decompress(packed), [], bytes(width * size)
    for k in range(height):
        begin = k * (width * size + 1)
        kind, line = raw[begin], bytearray(raw[begin + 1:begin + 1 + width * size])
        if kind == 1:
            for i in range(size, len(line)):
                line[i] = (line[i] + line[i - size]) & 255
        elif kind == 2:
            line = bytearray((a + b) & 255 for a, b in zip(line, last))
        elif kind == 3:
            for i in range(len(line)):
                line[i] = (line[i] + ((line[i - size] if i >= size else 0) + last[i]) // 2) & 255
        elif kind == 4:
            for i in range(len(line)):
                a, b, c = (line[i - size], last[i], last[i - size]) if i >= size else (0, last[i], 0)
                p = a + b - c
                best = min((abs(p - a), 0, a), (abs(p - b), 1, b), (abs(p - c), 2, c))[2]
                line[i] = (line[i] + best) & 255
        last = bytes(line)
        rows.append([tuple(last[i:i + 3]) for i in range(0, len(last), size)])
    return rows


def luminance(color):
    linear = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in (byte / 255 for byte in color)]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(a, b):
    lighter, darker = sorted((luminance(a), luminance(b)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def evaluate(formula, values):
    pairs = values["P"] * (values["P"] - 1)
    return sum(c * {"1": 1, "P(P-1)": pairs}.get(s, values.get(s, 0)) for s, c in formula["terms"].items())


class ReportTest(LaunchedProgramTest):
    def setUp(self):
        super().setUp()
        generator = random.Random(5)
        self.graph = self.file("graph.txt", "".join(
            f"{generator.randrange(300)} {int(300 * generator.random() ** 2)}\n" for _ in range(3000)))

    def run_pagerank(self, name="run", *arguments):
        """Names of its report and trace."""
        report, trace = self.folder / f"{name}.json", self.folder / f"{name}-trace.json"
        self.succeed("--graph", self.graph, "--quiet", "--iterations", 6, "--partition", "hybrid-cut", "--report", report,
                     "--trace", trace, "--record", self.folder / "program.json", *arguments)
        return report, trace

    def analyze(self, *arguments):
        run = subprocess.run([ANALYZE, str(self.folder / "program.json"), "--quiet", *map(str, arguments)],
                             capture_output=True, text=True, timeout=60, check=False)
        self.assertEqual((run.returncode, run.stdout, run.stderr), (0, "", ""))

    def render(self, *arguments):
        return subprocess.run([REPORT, *map(str, arguments)], capture_output=True, text=True, timeout=60, check=False)

    def page(self, *arguments):
        output = self.folder / "page.html"
        run = self.render(*arguments, "--output", output)
        self.assertEqual((run.returncode, run.stdout, run.stderr), (0, "", ""))
        return output

    def all_kinds(self):
        report, trace = self.run_pagerank()
        other, _ = self.run_pagerank("other", "--threads", 2)
        analysis = self.folder / "analysis.json"
        self.analyze("--json", analysis)
        return [report, other, trace, analysis]

    def read(self, path):
        return json.loads(path.read_text(encoding="utf-8"))

    def embedded(self, page):
        found = Page(page)
        self.assertEqual([tag for tag, _ in found.elements].count("script"), 2)
        return json.loads(found.scripts[0])["documents"]

    # ---- without a browser ----

    def test_what_is_embedded_is_what_was_written(self):
        files = self.all_kinds()
        documents = self.embedded(self.page(*files))
        self.assertEqual([document["kind"] for document in documents], ["report", "report", "trace", "analysis"])
        self.assertEqual([document["name"] for document in documents], [str(path) for path in files])
        self.assertEqual([document["content"] for document in documents], [self.read(path) for path in files])

    def test_pages_ask_for_nothing(self):
        page = Page(self.page(*self.all_kinds()))
        for tag, attributes in page.elements:
            self.assertNotIn(tag, ("link", "img", "iframe", "object", "embed", "base", "form"))
            self.assertNotIn("src", attributes)
            self.assertTrue(attributes.get("href", "#").startswith("#"))
        rest = page.text.replace(page.scripts[0], "")
        self.assertEqual(set(re.findall(r"https?://[^\"]*", rest)),
                         {"http://www.w3.org/2000/svg", "http://www.w3.org/1998/Math/MathML"}, "names, not addresses")
        for asking in ("url(", "@import", "fetch(", "XMLHttpRequest", "import(", "WebSocket", "innerHTML", "eval("):
            self.assertNotIn(asking, rest)

    def test_texts_of_documents_stay_texts(self):
        report, _ = self.run_pagerank()
        content = self.read(report)
        content["program"], content["series"][ODD] = ODD, [1, 2, None]
        content["steps"][0]["details"].append(ODD)
        content["index_spaces"][0]["name"] = ODD
        path = self.file("odd & <name>.json", json.dumps(content))
        page = self.page(path)
        document, = self.embedded(page)
        self.assertEqual((document["name"], document["content"]), (str(path), content))
        self.assertNotIn("@TITLE@", page.read_text(encoding="utf-8"))

    def test_titles(self):
        report, _ = self.run_pagerank()
        for options, title in (([], "pagerank"), (["--title", ODD], ODD), (["--title", "two words"], "two words")):
            page = self.page(report, *options).read_text(encoding="utf-8")
            titles = re.findall(r"<title>(.*?)</title>", page, re.S)
            self.assertEqual([html.unescape(text) for text in titles], [title])

    def test_what_is_drawn_is_in_the_report(self):
        report, _ = self.run_pagerank()
        content = self.read(report)
        workers = range(self.workers)
        for step in content["steps"]:
            self.assertEqual(len(step["seconds_by_worker"]), self.workers)
            self.assertEqual(step["seconds_by_worker"][0], step["seconds"])
        for count, total in content["measured"].items():
            self.assertEqual(sum(content["by_worker"][count]), total)
        self.assertEqual(content["by_worker"]["seconds_total"][0], content["seconds_total"])
        for space in content["index_spaces"]:
            self.assertEqual(sum(space["masters_by_worker"]), space["length"])
            self.assertEqual(sum(space["replicas_by_worker"]), space["replicas"])
        for matrix in content["matrices"]:
            parts = matrix["nonzeros_by_worker"]
            self.assertEqual(sum(parts), matrix["nonzeros"])
            self.assertAlmostEqual(max(parts) * len(workers) / sum(parts), matrix["imbalance"])

        def leaves(steps):
            for step in steps:
                inner = [step[key] for key in ("steps", "then", "otherwise") if key in step]
                yield from (leaf for block in inner for leaf in leaves(block)) if inner else [step]

        self.assertEqual(len(content["trees"]), content["plans"])
        drawn = [(plan, leaf["kind"]) for plan, tree in enumerate(content["trees"]) for leaf in leaves(tree["steps"])]
        self.assertEqual(drawn, [(step["plan"], step["kind"]) for step in content["steps"]])
        for tree in content["trees"]:
            for leaf in leaves(tree["steps"]):
                operations = leaf.get("operations", leaf.get("moves", [leaf]))
                for operation in operations:
                    named = [value for key in ("in", "shared", "out", "in_tile") for value in operation.get(key, [])]
                    named += [operation[key] for key in ("from", "to") if key in operation]
                    self.assertTrue(named)
                    self.assertLessEqual(set(named), set(tree["values"]))

    def test_what_if_agrees_with_the_analysis_where_it_was_made(self):
        self.run_pagerank()
        path = self.folder / "analysis.json"
        for options in (["--overlap", "on"], ["--routes", "neighbours"], ["--fusion", "exact"], ["--threads", 3],
                        ["--fusion", "off", "--sync", "eager", "--roles", "off"], ["--storage", "compressed"], []):
            with self.subTest(options=options):
                self.analyze("--json", path, *options)
                program, = self.read(path)["programs"]
                what_if = program["what_if"]
                self.assertEqual(what_if["workers"], sorted(set(what_if["workers"])))
                at = what_if["workers"].index(self.workers)
                self.assertEqual({name: of[at] for name, of in what_if["symbols"].items()}, program["symbols"])
                for block, known in zip(program["after"]["blocks"], what_if["blocks"], strict=True):
                    for step, costs in zip(block["steps"], known, strict=True):
                        self.assertEqual(costs["picoseconds"][at], step.get("picoseconds", 0))
        # On other numbers of workers it has the replicas that planning for these has.
        others = self.folder / "others.json"
        self.analyze("--json", others, "--workers", 16)
        planned, = self.read(others)["programs"]
        sixteen = what_if["workers"].index(16)
        for name in ("N", "S", "S_row", "S_col", "M"):
            self.assertEqual(what_if["symbols"][name][sixteen], planned["symbols"][name])
        self.assertEqual(what_if["follows"]["S_row"], ["N"])
        self.assertEqual(what_if["follows"]["M"], ["N"])

    def refuse(self, status, message, *arguments):
        before = sorted(self.folder.iterdir())
        run = self.render(*arguments)
        self.assertEqual((run.returncode, run.stdout, run.stderr.count("\n")), (status, "", 1), run.stderr)
        self.assertTrue(run.stderr.startswith("error: "))
        self.assertIn(message, run.stderr)
        self.assertEqual(sorted(self.folder.iterdir()), before)

    def test_files_that_are_none_of_these_are_refused(self):
        report, _ = self.run_pagerank()
        output = ["--output", self.folder / "page.html"]
        self.refuse(1, "absent.json", self.folder / "absent.json", *output)
        self.refuse(1, "half.json: no JSON, or not all of it: byte", self.file("half.json", report.read_text()[:500]), *output)
        self.refuse(1, "list.json: is neither a run report", self.file("list.json", "[1]"), *output)
        self.refuse(1, "is neither a run report", self.folder / "program.json", *output)
        content = self.read(report)

        def broken(**changes):
            return self.file("broken.json", json.dumps({**copy.deepcopy(content), **changes}))

        steps = copy.deepcopy(content["steps"])
        steps[1]["seconds_by_worker"].append(0.5)
        self.refuse(1, "broken.json: steps[1].seconds_by_worker: there are", broken(steps=steps), *output)
        steps[1]["seconds_by_worker"] = "many"
        self.refuse(1, "broken.json: steps[1].seconds_by_worker: a list is expected", broken(steps=steps), *output)
        self.refuse(1, "broken.json: threads: a number is expected", broken(threads="two"), *output)
        self.refuse(1, "broken.json: traceEvents[0].ph", self.file("broken.json", '{"traceEvents": [{"ph": 5}]}'), *output)
        self.refuse(1, "nowhere", report, "--output", self.folder / "nowhere" / "page.html")
        self.refuse(1, "is to be read and to be written", report, "--output", report)
        self.refuse(2, "--output is required", report)
        self.refuse(2, "FILE is required", *output)

    def test_reports_of_earlier_versions_are_shown(self):
        report, _ = self.run_pagerank()
        content = self.read(report)
        for key in ("by_worker", "trees"):
            del content[key]
        for step in content["steps"]:
            del step["seconds_by_worker"], step["plan"]
        for entry in content["matrices"] + content["index_spaces"]:
            for key in [key for key in entry if key.endswith("_by_worker")]:
                del entry[key]
        page = self.page(self.file("old.json", json.dumps(content)))
        self.look(page)

    def test_words_can_be_read(self):
        """Contrast of what is written, by the rule of WCAG: at least 4.5, and 3 between marks and what is behind them."""
        light, dark = (PAGE / "style.css").read_text(encoding="utf-8").split("@media (prefers-color-scheme: dark)")
        for scheme in (light, dark):
            colors = {name: tuple(bytes.fromhex(value)) for name, value in
                      re.findall(r"--([a-z0-9_-]+): #([0-9a-f]{6});", scheme)}
            for text in ("ink", "soft", "accent", "good", "bad"):
                for behind in ("paper", "card"):
                    self.assertGreaterEqual(contrast(colors[text], colors[behind]), 4.5, (text, behind))
            for state in ("partitioned", "consistent", "pre_reduced", "shared"):
                self.assertGreaterEqual(contrast(colors["on-state"], colors[state]), 4.5, state)
            for mark in ("sweep", "exchange", "scalar", *(f"series-{k}" for k in range(8))):
                self.assertGreaterEqual(contrast(colors[mark], colors["card"]), 3, mark)

    # ---- in a browser ----

    def browser(self):
        if CHROMIUM is None:
            self.skipTest("Chromium is not installed: nobody has looked at the page")
        browser = Browser()
        self.addCleanup(browser.close)
        return browser

    def look(self, page):
        """The browser with the page in it, which has had nothing to complain of."""
        browser = self.browser()
        browser.open(page)
        self.assertEqual(browser.complaints, [])
        self.assertEqual(browser.value("document.querySelectorAll('.failed').length"), 0)
        return browser

    def values_under(self, browser, heading, table=0):
        """Of the table with this number behind a heading, the values of each row, in full."""
        return browser.value(
            "(() => { const section = [...document.querySelectorAll('section')].find((one) => "
            f"one.firstElementChild.textContent.startsWith({json.dumps(heading)}));"
            f"return [...section.querySelectorAll('table')[{table}].tBodies[0].rows].map((row) => [...row.cells].map((cell) => "
            "{ const found = cell.dataset.value ?? cell.querySelector('[data-value]')?.dataset.value;"
            " return found === undefined ? cell.textContent : Number(found); })); })()")

    def test_the_page_has_the_numbers_of_the_documents(self):
        files = self.all_kinds()
        browser = self.look(self.page(*files))
        self.assertEqual(browser.value("document.title"), "pagerank")
        links = browser.value("[...document.querySelectorAll('nav a')].map((a) => [a.textContent, !!document.querySelector(a.getAttribute('href'))])")
        self.assertEqual(links, [["Runs compared", True], *([str(path), True] for path in files)])
        content, other = self.read(files[0]), self.read(files[1])
        mean = [sum(step["seconds_by_worker"]) / self.workers for step in content["steps"]]
        by_step = {int(row[0].split()[0]): row[1:] for row in self.values_under(browser, "Where the time went, by step")}
        for k, step in enumerate(content["steps"]):
            if step["entered"]:
                self.assertEqual(by_step[k][0], step["entered"])
                self.assert_close(by_step[k][1:5], [mean[k], min(step["seconds_by_worker"]), max(step["seconds_by_worker"]),
                                                    step["seconds_predicted"]])
        by_worker = self.values_under(browser, "Where the time went, by worker")
        self.assertEqual([row[:2] for row in by_worker], [[w, content["by_worker"]["seconds_total"][w]] for w in range(self.workers)])
        counts = {row[0].replace(" ", "_"): row[1:] for row in self.values_under(browser, "Predicted beside measured")}
        for name, measured in content["measured"].items():
            self.assertEqual(counts[name], [content["predicted"][name], measured, "equal", content["model"][name]])
        compared = self.values_under(browser, "Runs compared")
        for row, run in zip(compared, (content, other), strict=True):
            self.assertEqual(row[1:9], [run["program"], run["workers"], run["threads"], run["iterations"], run["seconds_per_iteration"],
                                        run["seconds_per_iteration_predicted"], run["seconds_total"], run["measured"]["bytes_sent"]])
        scaling = self.values_under(browser, "pagerank, by the number of cores")
        self.assertEqual([row[1:3] for row in scaling], [[self.workers * run["threads"], run["seconds_per_iteration"]] for run in (content, other)])
        series = self.values_under(browser, "Series")
        self.assertEqual([row[1] for row in series], content["series"]["change"])
        trace = self.read(files[2])["traceEvents"]
        by_kind = self.values_under(browser, "Timeline of pagerank")
        kinds = browser.value("[...[...document.querySelectorAll('section')].find((s) => s.firstElementChild.textContent.startsWith('Timeline'))"
                              ".querySelector('table').tHead.rows[0].cells].map((cell) => cell.textContent)")
        for row in by_kind:
            for kind, seconds in zip(kinds[1:], row[1:], strict=True):
                expected = sum(e["dur"] for e in trace if e["ph"] == "X" and e["pid"] == row[0] and e["cat"] == kind) / 1e6
                self.assertAlmostEqual(seconds, expected, places=8)

    def test_odd_texts_change_nothing(self):
        report, _ = self.run_pagerank()
        content = self.read(report)
        content["program"], content["series"][ODD] = ODD, [1, 2, None]
        content["index_spaces"][0]["name"] = ODD
        browser = self.look(self.page(self.file("odd.json", json.dumps(content))))
        self.assertEqual(browser.value("document.title"), ODD)
        self.assertEqual(browser.value("document.scripts.length"), 2)
        self.assertEqual(browser.value("document.querySelector('h1').textContent"), ODD)

    def test_long_runs_on_many_workers_are_drawn(self):
        report, trace = self.run_pagerank()
        content, events = self.read(report), self.read(trace)
        workers = content["workers"] = 200
        content["series"] = {"long": [k % 7 + (100 if k == 77777 else 0) for k in range(150000)]}
        for owner in (content["by_worker"], *content["steps"], *content["index_spaces"], *content["matrices"]):
            for key in owner:
                if owner is content["by_worker"] or key.endswith("_by_worker"):
                    owner[key] = [1 + worker % 5 for worker in range(workers)]
        events["traceEvents"] += [dict(event, pid=event["pid"] + self.workers * k) for k in range(1, 70) for event in events["traceEvents"]]
        browser = self.look(self.page(self.file("many.json", json.dumps(content)), self.file("events.json", json.dumps(events))))
        self.assertEqual(len(self.values_under(browser, "Where the time went, by worker")), workers)
        self.assertLess(browser.value("document.querySelectorAll('svg *').length"), 50000)
        said = browser.value("[...document.querySelectorAll('figcaption')].map((one) => one.textContent)")
        self.assertTrue(any("Shown are the 32 slowest" in text for text in said), said)
        heights = browser.value("[...[...document.querySelectorAll('svg')].find((one) => one.getAttribute('aria-label').startsWith('long'))"
                                ".querySelectorAll('circle')].map((one) => Number(one.getAttribute('cy'))).sort((a, b) => a - b)")
        self.assertLess(heights[0], heights[1] - 100, "the one entry that sticks out is drawn")

    def test_a_picture_is_not_blank_in_light_and_in_dark(self):
        browser = self.look(self.page(*self.all_kinds()))
        brightness = {}
        for scheme in ("light", "dark"):
            browser.colors(scheme)
            browser.screenshot(self.folder / f"{scheme}.png", 0.15)
            rows = pixels(self.folder / f"{scheme}.png")
            colors = {color for row in rows[::5] for color in row[::3]}
            self.assertGreater(len(colors), 100)
            brightness[scheme] = luminance(rows[5][5])
            blank = sum(len(set(row[::4])) == 1 for row in rows[::3])
            self.assertLess(blank, 0.6 * len(rows[::3]), "most of the page is empty")
        self.assertGreater(brightness["light"], 0.8)
        self.assertLess(brightness["dark"], 0.05)
        self.assertEqual(browser.complaints, [])
        for width in (400, 800, 1600):
            browser.size(width, 900)
            self.assertLessEqual(browser.value("document.documentElement.scrollWidth"), width, "the page is wider than the window")

    def test_everything_can_be_reached_by_keys(self):
        browser = self.look(self.page(*self.all_kinds()))
        wanted = browser.value(
            "[...document.querySelectorAll('a[href], button, input, select, summary, [tabindex=\"0\"]')].filter((one) => "
            "one.checkVisibility()).map((one, k) => one.dataset.place = k).length")
        reached, quiet = set(), 0
        while quiet < 5 and len(reached) < wanted:
            browser.press("Tab")
            place = browser.value("document.activeElement.dataset.place ?? null")
            quiet = quiet + 1 if place is None or place in reached else 0
            reached.add(place)
        self.assertEqual(len(reached - {None}), wanted)
        charts = browser.value("document.querySelectorAll('svg[role=img]').length")
        for k in range(charts):
            chart = f"[...document.querySelectorAll('svg[role=img]')][{k}]"
            if not browser.value(f"{chart}.checkVisibility()"):
                continue
            said = f"{chart}.closest('figure').querySelector('figcaption').textContent"
            browser.value(f"{chart}.focus()")
            heard = []
            for key in ("Home", "ArrowRight", "End", "ArrowLeft"):
                browser.press(key)
                heard.append(browser.value(said))
            self.assertTrue(all(heard), (k, heard))
            marks = int(re.search(r"through (\d+) marks", browser.value(f"{chart}.getAttribute('aria-label')"))[1])
            if marks > 2:
                self.assertNotEqual(heard[0], heard[2], (k, heard))
        tables = browser.value("[...document.querySelectorAll('figure')].filter((one) => !one.querySelector('table')).map((one) => "
                               "one.querySelector('svg').getAttribute('aria-label'))")
        self.assertTrue(all(label.startswith("Timeline") for label in tables), "tables of a timeline stand beside it")

    def test_sizes_can_be_changed_in_the_page_of_an_analysis(self):
        self.run_pagerank()
        page, path = self.folder / "page.html", self.folder / "analysis.json"
        self.analyze("--html", page, "--json", path)
        self.assertEqual([d["content"] for d in self.embedded(page)], [self.read(path)])
        browser, analysis = self.look(page), self.read(path)
        program, network = analysis["programs"][0], analysis["network"]
        what_if, P = program["what_if"], self.workers
        at = what_if["workers"].index(P)
        number = max(range(len(program["after"]["blocks"])), key=lambda k: program["after"]["blocks"][k]["per"] == "iteration")
        block, known = program["after"]["blocks"][number], what_if["blocks"][number]

        def time(k):
            return sum(step["picoseconds"][k] for step in known) / 1e12

        def shown(what):
            return float(browser.value(f"document.querySelector('[data-what={what}]').dataset.value"))

        def tile(name):
            return float(browser.value("[...document.querySelectorAll('.what-if dt')].find((one) => one.textContent === "
                                       f"{json.dumps(name)}).nextElementSibling.querySelector('[data-value]').dataset.value"))

        def give(symbol, value):
            browser.value(f"(() => {{ const box = document.querySelector('input[type=number][data-symbol={symbol}]');"
                          f"box.value = '{value}'; box.dispatchEvent(new Event('change')); return 1; }})()")

        self.assert_close([shown("seconds")], [time(at)], 1e-9)
        self.assertEqual(shown("best"), min(what_if["workers"], key=lambda p: time(what_if["workers"].index(p))))
        formulas = browser.value("[...document.querySelectorAll('.what-if math')].map((one) => one.dataset.formula)")
        for step in block["steps"]:
            if "stream" in step:
                self.assertIn(step["stream"]["bytes_read"]["text"], formulas)
        # Ten times the elements: replicas, non-zeros and runs follow, and all traffic with them.
        give("N", 10 * what_if["symbols"]["N"][at])
        values = {name: 10 * of[at] for name, of in what_if["symbols"].items()} | {"P": P}
        for name, count in (("read", "bytes_read"), ("written", "bytes_written"), ("sent", "bytes_sent")):
            self.assert_close([tile(name)], [evaluate(block["stream"][count], values)], 1e-9)
        seconds = 0
        for step, costs in zip(block["steps"], known):
            planned = costs["picoseconds"][at] / 1e12
            if step["kind"] == "exchange" and P > 1:
                vectors = {"terms": {s: c for s, c in step["stream"]["bytes_sent"]["terms"].items() if s != "P(P-1)"}}
                planned += 0.9 * evaluate(vectors, values) / P / network["bytes_per_second"]
            elif step["kind"] == "sweep":
                planned *= 10
            seconds += planned
        self.assert_close([shown("seconds") * 1e6], [seconds * 1e6], 1e-6)
        # Non-zeros that are given stay, whatever the elements.
        give("M", 5000)
        give("N", 1000)
        self.assertEqual(browser.value("document.querySelector('input[type=number][data-symbol=M]').value"), "5000")
        # A slow network: fewer workers are best, and what is sent takes its time.
        browser.value("[...document.querySelectorAll('button')].find((one) => one.textContent === 'As analyzed').click()")
        self.assert_close([shown("seconds")], [time(at)], 1e-9)
        give("latency", 1)
        self.assertEqual(shown("best"), 1)
        give("latency", network["message_picoseconds"] / 1e12)
        give("bandwidth", 1000)
        sent = {s: c for s, c in block["stream"]["bytes_sent"]["terms"].items() if s != "P(P-1)"}
        own = {name: of[at] for name, of in what_if["symbols"].items()} | {"P": P}
        slower = evaluate({"terms": sent}, own) / P * (1 / 1000 - 1 / network["bytes_per_second"]) if P > 1 else 0
        self.assert_close([shown("seconds")], [time(at) + slower], 1e-6)
        # By keys: one worker more than least.
        browser.value("[...document.querySelectorAll('button')].find((one) => one.textContent === 'As analyzed').click()")
        browser.value("document.querySelector('input[type=range][data-symbol=P]').focus()")
        browser.press("Home")
        self.assert_close([shown("seconds")], [time(0)], 1e-9)
        browser.press("ArrowRight")
        self.assert_close([shown("seconds")], [time(1)], 1e-9)
        self.assertEqual(browser.value("document.activeElement.dataset.symbol"), "P")
        self.assertEqual(browser.complaints, [])

    def test_the_window_of_a_timeline_moves(self):
        _, trace = self.run_pagerank()
        browser = self.look(self.page(trace))
        note = "document.querySelector('figcaption').textContent"
        before = browser.value(note)

        def press(text):
            browser.value(f"[...document.querySelectorAll('button')].find((one) => one.textContent === '{text}').focus()")
            browser.press("Enter")
            return browser.value(note)

        closer = press("Closer")
        self.assertNotEqual(closer, before)
        self.assertNotEqual(press("Later"), closer)
        press("The longest loop")
        self.assertGreater(browser.value("document.querySelectorAll('figure rect').length"), self.workers)
        self.assertEqual(press("All"), before)
        self.assertEqual(browser.complaints, [])


if __name__ == "__main__":
    if CHROMIUM is None:
        print("Chromium is not installed: nobody has looked at the pages", file=sys.stderr)
    main(ReportTest)
