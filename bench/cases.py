"""Applications with data of sizes that take a while: the cases that several measurements share."""
import dataclasses

from runs import Data, Written, converted, generated


@dataclasses.dataclass
class Case:
    """An application with its data, run as users do."""

    program: str
    option: str  # that names the data
    data: object  # Data or Written
    arguments: tuple = ()
    variant: str = ""  # what tells it from other cases of the program with the same data

    def words(self, launcher, folder):
        """Its arguments, of which files are made where they are not there."""
        return [str(word.path(launcher, folder)) if isinstance(word, (Data, Written)) else word
                for word in (self.option, self.data, *self.arguments)]

    @property
    def name(self):
        return " ".join(filter(None, (self.program, self.data.name, self.variant)))


def seconds_of(report, what=""):
    """What a run took by its report: per iteration of recorded loops, or in all where a program has none."""
    return report[f"{'seconds_per_iteration' if report['iterations'] else 'seconds_total'}{what}"]


def ratings_of(side, numbers):
    """A matrix of so many users and items, of which each user has rated one in a hundred."""
    yield "%%MatrixMarket matrix coordinate integer general"
    yield f"{side} {side} {side * (side // 100)}"
    for user in range(1, side + 1):
        for item in numbers.sample(range(1, side + 1), side // 100):
            yield f"{user} {item} {numbers.randint(1, 5)}"


def existing(folder, names, kind):
    return [converted(folder / name, kind) for name in names if (folder / name).exists()]


def graph_cases(real):
    """Graphs; those of real data only if their files are there. Searches begin where many edges do."""
    graphs = existing(real / "graphs", ("cnr-2000.txt.gz", "wiki-Vote.txt"), "graph")
    graphs += [generated(f"rmat-{scale}", "rmat", "--scale", scale) for scale in (16, 20)]
    graphs += [generated("grid-300", "grid", "--rows", 300, "--columns", 300)]
    cases = [Case(program, "--graph", graph, ("--iterations", "30")) for program in ("pagerank", "hits")
             for graph in graphs]
    cases += [Case("components", "--graph", graph) for graph in graphs]
    sources = {"rmat-16": "1", "rmat-20": "408522", "grid-300": "301", "cnr-2000": "217849", "wiki-Vote": "2565"}
    cases += [Case("bfs", "--graph", graph, ("--source", sources[graph.name])) for graph in graphs]
    roads = [generated("rmat-16-weighted", "rmat", "--scale", 16, "--max-weight", 255),
             generated("grid-300-weighted", "grid", "--rows", 300, "--columns", 300, "--max-weight", 255)]
    cases += [Case("sssp", "--graph", graph, ("--source", sources[graph.name.removesuffix("-weighted")]))
              for graph in roads]
    seeds = Written("seeds.txt", lambda numbers: (f"{vertex} {vertex % 4}" for vertex in range(1, 65536, 256)))
    cases += [Case("label-propagation", "--graph", graph, ("--seeds", seeds, "--iterations", "30")) for graph in graphs
              if graph.name == "rmat-16"]
    return cases


def sample_cases(real):
    """Sparse samples, points and options."""
    samples = existing(real / "libsvm", ("a9a", "news20.bz2"), "samples")
    samples += [generated("sparse-200000x100000", "sparse", "--rows", 200000, "--columns", 100000)]
    cases = [Case("lbfgs", "--data", some, ("--iterations", "20", "--l2", "1e-6")) for some in samples]
    cases += [Case("lbfgs", "--data", some, ("--iterations", "20", "--l1", "1e-6"), "--l1") for some in samples[:1]]
    points = generated("clusters-1000000x16", "clusters", "--rows", 1000000, "--columns", 16)
    options = generated("options-5000000", "options", "--rows", 5000000)
    cases += [Case("kmeans", "--points", points, ("--clusters", "10", "--iterations", "10")),
              Case("gmm", "--points", points, ("--components", "10", "--init", "random", "--iterations", "5")),
              Case("black-scholes", "--options", options)]
    return cases


def fusion_cases(rows):
    """The programs of tables 4 and 5 of the paper on SystemML's fusion plans (docs/papers.md): samples of 10 numbers, a
    million of them; a matrix of ratings with one in a hundred there; batches of 512 samples."""
    samples = generated(f"dense-{rows}x10", "sparse", "--rows", rows, "--columns", 10, "--per-row", 10)
    points = generated(f"points-{rows}x10", "clusters", "--rows", rows, "--columns", 10)
    side = rows // 100
    ratings = Written(f"ratings-{side}.mtx", lambda numbers: ratings_of(side, numbers))
    images = generated(f"images-{rows // 100}x784", "clusters", "--rows", rows // 100, "--columns", 784)
    return [Case("svm", "--data", samples, ("--l2", "1e-3", "--iterations", "10")),
            Case("mlogreg", "--data", samples, ("--l2", "1e-3", "--iterations", "5", "--most-products", "10")),
            Case("glm", "--data", samples, ("--family", "binomial", "--link", "probit", "--l2", "1e-3", "--iterations",
                                            "5", "--most-products", "10")),
            Case("kmeans", "--points", points, ("--clusters", "5", "--seed", "1", "--iterations", "10")),
            Case("als", "--ratings", ratings, ("--rank", "20", "--penalty", "1e-3", "--weighted", "--iterations", "3")),
            Case("autoencoder", "--data", images, ("--hidden", "500,2", "--batch", "512", "--epochs", "1"))]


def table_cases():
    """Queries over tables."""
    tables = Data("tpch-0.2", ["kasen-generate", "tpch", "{out}", "--scale", "0.2"], "")
    return [Case("tpch", "--data", tables, ("--query", query), f"Q{query}") for query in ("1", "3", "6", "12")]


def all_cases(real):
    """One case or more of every application that takes a while on data which can be had."""
    return graph_cases(real) + sample_cases(real) + fusion_cases(1_000_000) + table_cases()
