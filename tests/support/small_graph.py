"""A graph for programs that run in a moment, or for as long as they are let."""
import pathlib


def write_small_graph(folder):
    """@return the edge list of 60 vertices that it writes into the folder"""
    path = pathlib.Path(folder) / "graph.txt"
    path.write_text("".join(f"{k} {k * k % 61 + 1}\n{k} {k % 60 + 2}\n" for k in range(1, 61)), encoding="utf-8")
    return path
