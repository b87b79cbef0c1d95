#!/usr/bin/env python3
"""What --trace writes of a run, beside what the run report says of it. Usage: trace_test.py WORKERS COMMAND..."""
import collections
import decimal
import json
import pathlib
import random
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
from launched_program import LaunchedProgramTest, main

STEPS = {"sweep", "exchange", "scalar"}
Event = collections.namedtuple("Event", "worker thread begin end kind name args")


def graph(vertices, edges, seed=3):
    generator = random.Random(seed)
    return "".join(f"{generator.randrange(vertices)}\t{generator.randrange(vertices)}\n" for _ in range(edges))


def nanoseconds(microseconds):
    whole = decimal.Decimal(microseconds) * 1000
    assert whole == int(whole), microseconds
    return int(whole)


class TraceTest(LaunchedProgramTest):
    def setUp(self):
        super().setUp()
        self.graph = self.file("graph.txt", graph(60, 300))

    def trace(self, *arguments):
        """Events of a run, its report, and what the trace says of itself."""
        path, report = self.folder / "trace.json", self.folder / "report.json"
        self.succeed("--graph", self.graph, "--quiet", "--trace", path, "--report", report, *arguments)
        found = json.loads(path.read_text(encoding="utf-8"), parse_float=str, parse_int=str)
        self.assertEqual(set(found), {"displayTimeUnit", "otherData", "traceEvents"})
        self.assertLessEqual({event["ph"] for event in found["traceEvents"]}, {"X", "M"})
        self.names = [event for event in found["traceEvents"] if event["ph"] == "M"]
        events = []
        for event in found["traceEvents"]:
            if event["ph"] != "X":
                continue
            begin = nanoseconds(event["ts"])
            args = {key: float(value) if key == "seconds_predicted" else int(value)
                    for key, value in event["args"].items()}
            events.append(Event(int(event["pid"]), int(event["tid"]), begin, begin + nanoseconds(event["dur"]),
                                event["cat"], event["name"], args))
        about = json.loads(path.read_text(encoding="utf-8"))["otherData"]
        return events, json.loads(report.read_text(encoding="utf-8")), about

    def check_nesting(self, events):
        """Of two events of one thread one is within the other, or they have nothing in common."""
        for thread in {(event.worker, event.thread) for event in events}:
            around = []
            for event in (event for event in events if (event.worker, event.thread) == thread):
                self.assertGreaterEqual(event.begin, 0)
                self.assertGreaterEqual(event.end, event.begin)
                while around and around[-1].end <= event.begin and around[-1] != event:
                    around.pop()
                if around:
                    self.assertLessEqual(event.end, around[-1].end, (around[-1], event))
                around.append(event)

    def of_steps(self, events, worker):
        return [event for event in events if event.worker == worker and event.kind in STEPS]

    def check_steps(self, events, report):
        """Each entry of each step is an event of each worker, and as long as the report says."""
        for worker in range(self.workers):
            entries = collections.Counter(event.args["step"] for event in self.of_steps(events, worker))
            self.assertEqual([entries[k] for k in range(len(report["steps"]))],
                             [step["entered"] for step in report["steps"]])
            kinds = {(event.args["step"], event.kind) for event in self.of_steps(events, worker)}
            self.assertLessEqual(kinds, set(enumerate(step["kind"] for step in report["steps"])))
        sent = sum(event.args["bytes_sent"] for event in events if event.kind in STEPS)
        self.assertEqual(sent, report["measured"]["bytes_sent"])

    def test_every_entry_of_every_step_is_there_once(self):
        events, report, about = self.trace("--iterations", 7)
        self.check_nesting(events)
        self.check_steps(events, report)
        self.assertEqual(about["workers"], self.workers)
        self.assertEqual(about["program"], report["program"])
        self.assertEqual((about["every"], about["dropped"]), (1, [0] * self.workers))
        self.assertEqual(about["events"], [sum(e.worker == w for e in events) for w in range(self.workers)])
        self.assertEqual(min(event.begin for event in events), 0)
        for worker in range(self.workers):
            kinds = collections.Counter(event.kind for event in events if event.worker == worker)
            self.assertEqual((kinds["run"], kinds["plan"]), (report["runs"], report["plans"]))
            self.assertEqual((kinds["read"], kinds["place"], kinds["loop"]), (1, 1, 1))
        seconds = collections.Counter()
        for event in self.of_steps(events, 0):
            seconds[event.args["step"]] += (event.end - event.begin) / 1e9
        for k, step in enumerate(report["steps"]):
            self.assertLess(abs(seconds[k] - step["seconds"]), 2e-9 * (1 + step["entered"]))

    def test_workers_take_the_same_steps_and_have_names(self):
        events, report, _ = self.trace("--iterations", 4)
        places = [[(e.args["step"], e.args["superstep"], e.args.get("iteration"), e.args["seconds_predicted"], e.name)
                   for e in self.of_steps(events, worker)] for worker in range(self.workers)]
        self.assertEqual(places, [places[0]] * self.workers)
        exchanges = [superstep for step, superstep, *_ in places[0] if report["steps"][step]["kind"] == "exchange"]
        self.assertEqual(exchanges, list(range(len(exchanges))), "an exchange ends its superstep")
        self.assertEqual({iteration for _, _, iteration, *_ in places[0]} - {None}, {1, 2, 3, 4})
        named = {int(name["pid"]): name["args"]["name"] for name in self.names if name["name"] == "process_name"}
        self.assertEqual(sorted(named), list(range(self.workers)))
        for worker, name in named.items():
            self.assertRegex(name, rf"^worker {worker} on .+")
        once = {step: predicted for step, _, _, predicted, _ in places[0]}
        for k, step in enumerate(report["steps"]):
            self.assertAlmostEqual(once[k] * step["entered"] + step.get("seconds_predicted_fresh", 0),
                                   step["seconds_predicted"], delta=1e-9)
        self.assertGreater(sum(step.get("seconds_predicted_fresh", 0) for step in report["steps"]), 0)

    def test_only_some_iterations(self):
        events, report, about = self.trace("--iterations", 11, "--trace-every", 4)
        self.check_nesting(events)
        self.assertEqual(about["every"], 4)
        whole, _, _ = self.trace("--iterations", 11)
        for worker in range(self.workers):
            def kept(all_events):
                return [(e.kind, e.name, e.args) for e in all_events
                        if e.worker == worker and e.args.get("iteration", 1) in (1, 5, 9)]
            self.assertEqual(kept(events), kept(whole))
            found = {e.args["iteration"] for e in self.of_steps(events, worker) if "iteration" in e.args}
            self.assertEqual(found, {1, 5, 9})

    def test_vectors_under_way_are_waited_for_within_steps(self):
        self.graph = self.file("large.txt", graph(3000, 20000))
        events, report, _ = self.trace("--iterations", 5, "--overlap", "on", "--storage", "blocked", "--threads", 2)
        self.check_nesting(events)
        self.check_steps(events, report)
        if self.workers > 1:
            self.assertEqual({event.worker for event in events if event.kind == "wait"}, set(range(self.workers)))

    def test_threads_have_lines_of_their_own(self):
        self.graph = self.file("large.txt", graph(20000, 60000))
        events, report, about = self.trace("--iterations", 3, "--threads", 3, "--partition", "block")
        self.check_nesting(events)
        self.check_steps(events, report)
        self.assertEqual(about["threads"], 3)
        shares = [event for event in events if event.thread > 0]
        self.assertTrue(shares)
        self.assertEqual({event.kind for event in shares}, {"thread"})
        for share in shares:
            self.assertTrue(any(event.begin <= share.begin and share.end <= event.end
                                for event in self.of_steps(events, share.worker)
                                if event.args["step"] == share.args["step"]), share)

    def test_checkpoints_and_results_are_written_within(self):
        (self.folder / "checkpoints").mkdir()
        events, report, _ = self.trace("--iterations", 3, "--checkpoint", self.folder / "checkpoints",
                                       "--checkpoint-interval", 0, "--output", self.folder / "ranks.tsv")
        self.check_nesting(events)
        self.check_steps(events, report)
        kinds = collections.Counter(event.kind for event in events)
        self.assertEqual(kinds["checkpoint"], self.workers * report["checkpoints"]["taken"])
        self.assertEqual(kinds["write"], self.workers)

    def refuse(self, status, text, *arguments):
        before = sorted(self.folder.iterdir())
        run = self.run_program("--graph", self.graph, *arguments)
        self.assertEqual((run.returncode, run.stdout, run.stderr.count("error: ")), (status, "", 1), run.stderr)
        self.assertIn(text, run.stderr)
        self.assertEqual(sorted(self.folder.iterdir()), before)

    def test_what_cannot_be_written_is_refused_before_anything_runs(self):
        path = self.folder / "trace.json"
        self.refuse(1, "nowhere", "--trace", self.folder / "nowhere" / "trace.json")
        self.refuse(1, "is a directory", "--trace", self.folder)
        self.refuse(2, "is named twice", "--trace", path, "--report", path)
        self.refuse(2, "--trace-every: is of --trace", "--trace-every", 2)
        self.refuse(2, "--trace-every", "--trace", path, "--trace-every", 0)

    def test_a_run_that_fails_leaves_no_trace(self):
        path = self.folder / "trace.json"
        self.graph = self.file("bad.txt", "1 2\n2 three four\n")
        self.fail_without_output("--graph", self.graph, "--trace", path)
        self.assertFalse(path.exists())


if __name__ == "__main__":
    main(TraceTest)
