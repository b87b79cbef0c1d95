"""What references of models in plain Python share: algebra of a few numbers, samples, and their files."""
import math
import random


def dot(a, b):
    return math.fsum(x * y for x, y in zip(a, b))


def solved(matrix, right):
    """The solution of a few equations, by elimination."""
    n = len(right)
    rows = [list(row) + [value] for row, value in zip(matrix, right)]
    for k in range(n):
        pivot = max(range(k, n), key=lambda i: abs(rows[i][k]))
        rows[k], rows[pivot] = rows[pivot], rows[k]
        for i in range(n):
            if i != k:
                by = rows[i][k] / rows[k][k]
                rows[i] = [a - by * b for a, b in zip(rows[i], rows[k])]
    return [rows[k][n] / rows[k][k] for k in range(n)]


def random_samples(count, columns, classes, seed=5):
    generator = random.Random(seed)
    middles = [[generator.uniform(-1, 1) for _ in range(columns)] for _ in classes]
    labels = [classes[i % len(classes)] for i in range(count)]
    return [[generator.gauss(m, 1) for m in middles[classes.index(label)]] for label in labels], labels


def sparse(samples, labels):
    return "".join(f"{label!r} " + " ".join(f"{j + 1}:{x!r}" for j, x in enumerate(sample) if x != 0) + "\n"
                   for sample, label in zip(samples, labels))
