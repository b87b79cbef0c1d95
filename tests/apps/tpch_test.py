#!/usr/bin/env python3
"""tpch seen from outside, against SQLite on the same files. Usage: tpch_test.py WORKERS COMMAND... GENERATE"""
import csv
import math
import pathlib
import sqlite3
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
from launched_program import LaunchedProgramTest, main

OPTIONS = [[], ["--fusion", "off", "--sync", "lazy"], ["--fusion", "exact"], ["--threads", "2"]]
QUERIES = {
    1: """select l_returnflag, l_linestatus, sum(l_quantity), sum(l_extendedprice),
          sum(l_extendedprice * (1 - l_discount)), sum(l_extendedprice * (1 - l_discount) * (1 + l_tax)),
          avg(l_quantity), avg(l_extendedprice), avg(l_discount), count(*)
          from lineitem where l_shipdate <= '1998-09-02'
          group by l_returnflag, l_linestatus order by l_returnflag, l_linestatus""",
    3: """select l_orderkey, sum(l_extendedprice * (1 - l_discount)) as revenue, o_orderdate, o_shippriority
          from customer, orders, lineitem
          where c_mktsegment = 'BUILDING' and c_custkey = o_custkey and l_orderkey = o_orderkey
          and o_orderdate < '1995-03-15' and l_shipdate > '1995-03-15'
          group by l_orderkey, o_orderdate, o_shippriority order by revenue desc, o_orderdate limit 10""",
    6: """select sum(l_extendedprice * l_discount) from lineitem where l_shipdate >= '1994-01-01'
          and l_shipdate < '1995-01-01' and l_discount between 0.05 and 0.07 and l_quantity < 24""",
    12: """select l_shipmode, sum(o_orderpriority in ('1-URGENT', '2-HIGH')),
           sum(o_orderpriority not in ('1-URGENT', '2-HIGH'))
           from orders, lineitem where o_orderkey = l_orderkey and l_shipmode in ('MAIL', 'SHIP')
           and l_commitdate < l_receiptdate and l_shipdate < l_commitdate
           and l_receiptdate >= '1994-01-01' and l_receiptdate < '1995-01-01'
           group by l_shipmode order by l_shipmode""",
}
DBGEN = {"customer": "c_custkey c_name c_address c_nationkey c_phone c_acctbal c_mktsegment c_comment".split(),
         "orders": "o_orderkey o_custkey o_orderstatus o_totalprice o_orderdate o_orderpriority o_clerk o_shippriority "
                   "o_comment".split(),
         "lineitem": "l_orderkey l_partkey l_suppkey l_linenumber l_quantity l_extendedprice l_discount l_tax "
                     "l_returnflag l_linestatus l_shipdate l_commitdate l_receiptdate l_shipinstruct l_shipmode "
                     "l_comment".split()}
TYPES = {"integer": ("key", "custkey", "number", "shippriority"), "real": ("quantity", "price", "discount", "tax")}


def type_of(column):
    return next((kind for kind, ends in TYPES.items() if column.endswith(ends)), "text")


def answers_of(folder):
    """The rows of each query, by SQLite."""
    database = sqlite3.connect(":memory:")
    for table in ("customer", "orders", "lineitem"):
        with open(folder / f"{table}.csv", encoding="utf-8", newline="") as file:
            rows = csv.reader(file)
            names = next(rows)
            database.execute(f"create table {table} ({', '.join(f'{name} {type_of(name)}' for name in names)})")
            database.executemany(f"insert into {table} values ({', '.join('?' * len(names))})", rows)
        key = {"customer": "c_custkey", "orders": "o_orderkey", "lineitem": "l_orderkey"}[table]
        database.execute(f"create index of_{table} on {table} ({key})")
    return {query: database.execute(text).fetchall() for query, text in QUERIES.items()}


class TpchTest(LaunchedProgramTest):
    generate = ""

    def tables(self, *arguments):
        folder = self.folder / "data"
        subprocess.run([self.generate, "tpch", folder, *map(str, arguments)], check=True, capture_output=True)
        return folder

    def rows(self, query, folder, *options):
        printed = self.succeed("--query", query, "--data", folder, *options)[0]
        return [line.split("\t") for line in printed.splitlines() if "\t" in line or line[0].isdigit()][query != 6:]

    def expect(self, found, expected):
        self.assertEqual(len(found), len(expected), found)
        for row, wanted in zip(found, expected):
            self.assertEqual(len(row), len(wanted))
            for field, value in zip(row, wanted):
                if isinstance(value, float):
                    self.assertTrue(math.isclose(float(field), value, rel_tol=1e-9, abs_tol=5e-5), (row, wanted))
                else:
                    self.assertEqual(field, str(value), (row, wanted))

    def test_answers_are_those_of_sqlite(self):
        folder = self.tables("--scale", 0.003)
        answers = answers_of(folder)
        self.assertEqual([len(answers[query]) for query in (1, 3, 6, 12)], [4, 10, 1, 2])
        for query, expected in answers.items():
            for options in OPTIONS:
                with self.subTest(query=query, options=options):
                    self.expect(self.rows(query, folder, *options), expected)

    def test_counts_are_as_predicted_and_rows_are_verified(self):
        folder = self.tables("--scale", 0.001, "--seed", 5)
        for query in QUERIES:
            report = self.report("--query", query, "--data", folder)
            self.assertEqual(report["predicted"], report["measured"])
            self.assertIn("verified: ", self.succeed("--query", query, "--data", folder, "--verify")[0])

    def test_tables_with_other_line_ends_and_quotes_are_verified(self):
        folder = self.tables("--scale", 0.0003)
        before = {query: self.rows(query, folder) for query in QUERIES}
        for table in ("orders", "lineitem"):
            path = folder / f"{table}.csv"
            lines = path.read_text(encoding="utf-8").splitlines()
            quoted = [",".join(f'"{field}"' for field in line.split(",")) for line in lines[1:]]
            path.write_bytes("\r\n".join([lines[0], *quoted, ""]).encode())
        for query in QUERIES:
            self.assertEqual(self.rows(query, folder, "--verify"), before[query])

    def test_tables_of_dbgen_are_read(self):
        """Without a line of names, with a separator at the end of lines, and columns that no query sees."""
        folder = self.tables("--scale", 0.0003)
        before = {query: self.rows(query, folder) for query in QUERIES}
        for table, columns in DBGEN.items():
            path = folder / f"{table}.csv"
            with open(path, encoding="utf-8", newline="") as file, \
                    open(folder / f"{table}.tbl", "w", encoding="utf-8") as to:
                for row in csv.DictReader(file):
                    to.write("".join(f"{row.get(name, 'a word, 1; and # 2')}|" for name in columns) + "\n")
            path.unlink()
        for query in QUERIES:
            self.assertEqual(self.rows(query, folder, "--verify"), before[query])

    def test_few_rows(self):
        folder = self.tables("--scale", 0.000001)
        for query, expected in answers_of(folder).items():
            self.expect(self.rows(query, folder), [row for row in expected if row[0] is not None] or
                        ([(0.0,)] if query == 6 else []))
        for table in ("customer", "orders", "lineitem"):
            path = folder / f"{table}.csv"
            path.write_text(path.read_text(encoding="utf-8").splitlines()[0] + "\n", encoding="utf-8")
        for query in QUERIES:
            self.expect(self.rows(query, folder, "--verify")[query == 6:], [])

    def test_what_is_missing_is_refused(self):
        folder = self.tables("--scale", 0.000001)
        for status, text, *arguments in (
                (2, "--data"), (2, "'2' is not one of 1|3|6|12", "--query", 2, "--data", folder),
                (2, "it has no --output", "--data", folder, "--output", self.folder / "rows.tsv"),
                (1, f"{self.folder / 'none'}/lineitem.csv: ", "--data", self.folder / "none")):
            run = self.run_program(*arguments)
            self.assertEqual((run.returncode, run.stderr.count("error: ")), (status, 1), run.stderr)
            self.assertIn(text, run.stderr)
        (folder / "orders.csv").write_text("o_orderkey,o_orderpriority\n1,x\ny,x\n", encoding="utf-8")
        run = self.run_program("--query", 12, "--data", folder)
        self.assertIn(f"{folder}/orders.csv:3:1: expected a whole number, found 'y'", run.stderr)


if __name__ == "__main__":
    TpchTest.generate = sys.argv.pop()
    main(TpchTest)
