#!/usr/bin/env python3
"""Sets programs on hosts that are none beside the same workers on one machine. As root.

usage: bench/hosts.py [--cases REGEX] [--hosts 2,4,8] [--rate 1gbit,10gbit] [--repetitions 3] [--keep DIR] ...

Hosts are network namespaces, one worker each, joined by links of a limited rate (cluster-scripts/emulate.sh). They share
this machine's cores, so that seconds are those of hosts only while there are no more workers than cores. For each number
of hosts and rate `kasen-calibrate` measures the network first. Then the table shows for each case

  one ms      an iteration of as many workers without hosts
  hosts ms    the same on the hosts
  predicted   of that, by the profile
  plain ms    on the hosts with `--fusion off --sync lazy`
  sent MB     what the plan says that all workers send in an iteration
  links/plan  bytes that all links carried in all, over those that the plan sends in all: headers, loading and starting

Programs come from the preset `bench` or `release`: `ninja -C build/release`.
"""
import dataclasses
import json
import pathlib
import re
import statistics
import subprocess
import sys

from cases import Case
from runs import LIMIT, ROOT, Failed, Launcher, first_error, generated, parser_of, workplace


def all_cases(scale, rows):
    graph = generated(f"rmat-{scale}", "rmat", "--scale", scale)
    samples = generated(f"sparse-{rows}x{rows // 2}", "sparse", "--rows", rows, "--columns", rows // 2)
    points = generated(f"clusters-{rows}x16", "clusters", "--rows", rows, "--columns", 16)
    return [Case("pagerank", "--graph", graph, ("--iterations", "20")),
            Case("components", "--graph", graph),
            Case("lbfgs", "--data", samples, ("--iterations", "10")),
            Case("kmeans", "--points", points, ("--clusters", "10", "--iterations", "10", "--seed", "1"))]


def emulate(hosts, rate, program, *arguments):
    """The bytes that all links carried in a run on so many hosts, which must succeed."""
    done = subprocess.run([ROOT / "cluster-scripts/emulate.sh", "--hosts", str(hosts), "--rate", rate, program,
                           *map(str, arguments), "--quiet"],
                          capture_output=True, text=True, errors="replace", timeout=LIMIT, check=False)
    carried = re.search(r"bytes sent by each host over its link: (.*)", done.stderr)
    if done.returncode or not carried:
        raise Failed(first_error(done.stderr, done.returncode))
    return sum(int(host.split()[1]) for host in carried[1].split(","))


def on_hosts(given, hosts, rate, *words):
    """The run report, and the bytes that all links carried."""
    path = given.scratch / "report.json"
    path.unlink(missing_ok=True)
    carried = emulate(hosts, rate, given.programs / words[0], *words[1:], "--report", path, "--profile",
                      given.scratch / "profile.json")
    return json.loads(path.read_text(encoding="utf-8")), carried


@dataclasses.dataclass
class Given:
    programs: pathlib.Path
    scratch: pathlib.Path
    folder: pathlib.Path
    launcher: Launcher
    repetitions: int


def measure(given, case, hosts, rate):
    """A row of the table."""
    words = case.program, *case.words(given.launcher, given.folder)
    turns = [(given.launcher.report(hosts, *words)[0], *on_hosts(given, hosts, rate, *words),
              on_hosts(given, hosts, rate, *words, "--fusion", "off", "--sync", "lazy")[0])
             for _ in range(given.repetitions)]
    one, there, plain = (1e3 * statistics.median(turn[k]["seconds_per_iteration"] for turn in turns) for k in (0, 1, 3))
    report = turns[0][1]
    predicted, sent = 1e3 * report["seconds_per_iteration_predicted"], report["predicted"]["bytes_sent"]
    links = statistics.median(turn[2] for turn in turns)
    return (f"{one:9.3f} {there:9.3f} {predicted:10.3f} {plain:9.3f} {sent / 1e6 / max(1, report['iterations']):9.3f} "
            f"{links / max(1, sent):10.2f}")


def parse():
    parser = parser_of(__doc__)
    parser.add_argument("--hosts", metavar="N,...", default="2,4,8", help="numbers of hosts (2,4,8)")
    parser.add_argument("--rate", metavar="RATE,...", default="1gbit,10gbit", help="of links (1gbit,10gbit)")
    parser.add_argument("--repetitions", metavar="N", type=int, default=3, help="runs of each (3)")
    parser.add_argument("--scale", metavar="N", type=int, default=18, help="of the graph (18)")
    parser.add_argument("--rows", metavar="N", type=int, default=200_000, help="samples and points (200000)")
    return parser.parse_args()


def main():
    arguments = parse()
    measured = 0
    with workplace(arguments) as (scratch, launcher, folder):
        given = Given(arguments.programs.resolve(), scratch, folder, launcher, arguments.repetitions)
        print(f"{'case':28} {'hosts':>5} {'rate':>7} {'one ms':>9} {'hosts ms':>9} {'predicted':>10} {'plain ms':>9} "
              f"{'sent MB':>9} {'links/plan':>10}", flush=True)
        for hosts in map(int, arguments.hosts.split(",")):
            for rate in arguments.rate.split(","):
                cases = [case for case in all_cases(arguments.scale, arguments.rows)
                         if re.search(arguments.cases, case.name)]
                try:
                    emulate(hosts, rate, given.programs / "kasen-calibrate", scratch / "profile.json", "--memory", "64M")
                except (Failed, subprocess.TimeoutExpired) as failure:
                    print(f"kasen-calibrate {hosts} {rate} left out: {failure}", flush=True)
                    continue
                for case in cases:
                    try:
                        print(f"{case.name:28} {hosts:5} {rate:>7} {measure(given, case, hosts, rate)}", flush=True)
                        measured += 1
                    except (Failed, subprocess.TimeoutExpired) as failure:
                        print(f"{case.name:28} {hosts:5} {rate:>7} left out: {failure}", flush=True)
    return 0 if measured else 1


if __name__ == "__main__":
    sys.exit(main())
