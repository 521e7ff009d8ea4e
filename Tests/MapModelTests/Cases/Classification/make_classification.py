"""Writes classification.tsv: columns of numbers with the classes of mapclassify.

A line is the values as bits of doubles, the number of classes, the upper bounds of Quantiles, EqualInterval and StdMean
(with the bounds of symmetric classes as multiples), and the sums of squared deviations of FisherJenks and of the best
division.
"""
import pathlib, random, struct, warnings
import mapclassify
import numpy as np
warnings.simplefilter("ignore")
random.seed(6)


def least_loss(values, k):
    """Returns the least sum of squared deviations in k classes, by trying every division of the sorted values."""
    values = sorted(values)
    def cost(start, end):
        part = np.array(values[start:end])
        return ((part - part.mean()) ** 2).sum()
    costs = {(a, b): cost(a, b) for a in range(len(values)) for b in range(a + 1, len(values) + 1)}
    best = {end: costs[0, end] for end in range(1, len(values) + 1)}
    for classes in range(2, k + 1):
        best = {end: min(best[start] + costs[start, end] for start in range(classes - 1, end))
                for end in range(classes, len(values) + 1)}
    return best[len(values)]


def bits(values): return " ".join("%016x" % struct.unpack("<Q", struct.pack("<d", v))[0] for v in values)
lines = []
for case in range(200):
    size = random.choice([8, 20, 50, 90])
    kind = case % 6
    draw = {0: lambda: random.random(), 1: lambda: random.lognormvariate(8, 2), 2: lambda: float(random.randrange(30)),
            3: lambda: random.gauss(-1000, 3), 4: lambda: random.choice([0.0, random.random() * 1e6]),
            5: lambda: round(random.paretovariate(1.1), 1)}[kind]
    values = np.array([draw() for _ in range(size)])
    k = random.randrange(2, 9)
    if len(set(values)) <= k: k = 2
    jenks = mapclassify.FisherJenks(values, k)
    loss = sum(((values[jenks.yb == c] - values[jenks.yb == c].mean()) ** 2).sum() for c in set(jenks.yb))
    multiples = [i - k / 2 for i in range(1, k)]
    # StdMean lists the bounds below and above the values too; only those among the values divide them.
    std = [b for b in (values.mean() + values.std(ddof=1) * np.array(multiples)) if values.min() < b < values.max()] + [values.max()]
    made = mapclassify.StdMean(values, multiples=multiples).bins
    assert all(np.isclose(made, b, rtol=1e-12).any() for b in std[:-1]), (std, made)
    lines.append("\t".join([bits(values), str(k), bits(mapclassify.Quantiles(values, k).bins),
        bits(mapclassify.EqualInterval(values, k).bins), bits(std), bits([loss, least_loss(values, k)])]))
pathlib.Path(__file__).with_name("classification.tsv").write_text("\n".join(lines) + "\n")
print(len(lines))
