"""Reads with h5py what Kasen wrote: integer and word ids, and one double per vertex.

usage: h5py_test.py COMMAND...   the command that takes an edge list and an output file. Exits with 77 without h5py.
"""
import pathlib
import subprocess
import sys
import tempfile

try:
    import h5py
except ImportError:
    sys.exit(77)


def check(text, expected_ids):
    with tempfile.TemporaryDirectory() as folder:
        graph, output = pathlib.Path(folder, "graph.txt"), pathlib.Path(folder, "ranks.h5")
        graph.write_text(text, encoding="utf-8")
        subprocess.run(sys.argv[1:] + [graph, output], check=True)
        with h5py.File(output, "r") as file:
            assert sorted(file) == ["rank", "vertex"], sorted(file)
            vertex = file["vertex"]
            if vertex.dtype.kind == "S":
                assert h5py.check_string_dtype(vertex.dtype).encoding == "utf-8"
                ids = [word.decode("utf-8") for word in vertex[...]]
            else:
                assert vertex.dtype == "i8", vertex.dtype
                ids = vertex[...].tolist()
            assert ids == expected_ids, ids
            assert file["rank"].dtype == "f8"
            assert file["rank"][...].tolist() == [i / 8 for i in range(len(ids))]


check("5 -3\n700000000000 5\n", [-3, 5, 700000000000])
check("pear apple\nGröße pear\n", ["Größe", "apple", "pear"])
