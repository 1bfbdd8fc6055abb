#!/usr/bin/env python3
"""Writes what SciPy gives for the inputs that InspectorRegressionTests compares our statistics on.

Run by hand, with SciPy 1.17:  python3 Tests/scipy-vectors.py > Tests/InspectorRegressionTests/scipy.json
"""

import json
import sys

import numpy
import scipy
from scipy import stats

random = numpy.random.default_rng(20)


def rounded(values, digits):
    return [round(float(value), digits) for value in values]


def pair(first, second, draw):
    return rounded(draw(first), 3), rounded(draw(second) * random.choice([1, 1.02, 1.2]), 3)


def rank_test(x, y, method):
    less = stats.mannwhitneyu(x, y, alternative="less", method=method)
    greater = stats.mannwhitneyu(x, y, alternative="greater", method=method)
    return {"x": x, "y": y, "u": float(less.statistic), "less": float(less.pvalue), "greater": float(greater.pvalue)}


def exact():
    cases = []
    for first, second in [(1, 1), (1, 5), (3, 3), (4, 6), (5, 5), (8, 8), (10, 30), (20, 20), (30, 30), (50, 7), (50, 50)]:
        for _ in range(3):
            x, y = pair(first, second, lambda count: 100 + 10 * random.standard_normal(count))
            if len(set(x + y)) == len(x + y):
                cases.append(rank_test(x, y, "exact"))
    low, high = rounded(range(1, 9), 0), rounded(range(11, 19), 0)
    return cases + [rank_test(low, high, "exact"), rank_test(high, low, "exact")]


def tied():
    """Every order of the values at hand: for small samples SciPy can go through all of them."""
    every = stats.PermutationMethod(n_resamples=float("inf"))
    cases = []
    for first, second, values in [(2, 2, 2), (3, 4, 3), (5, 5, 4), (6, 5, 3), (4, 9, 6), (7, 7, 5), (3, 3, 1)]:
        x, y = rounded(random.integers(0, values, first), 0), rounded(random.integers(0, values, second), 0)
        if len(set(x + y)) < len(x + y):
            cases.append(rank_test(x, y, every))
    return cases


def asymptotic():
    cases = []
    for first, second, values in [(20, 30, 8), (40, 40, 20), (16, 15, 3), (60, 50, 500), (200, 100, 40)]:
        for shift in [0, 0, 1]:
            x, y = rounded(random.integers(0, values, first), 0), rounded(random.integers(0, values, second) + shift, 0)
            cases.append(rank_test(x, y, "asymptotic"))
    x, y = pair(80, 60, lambda count: numpy.exp(random.standard_normal(count)))
    return cases + [rank_test(x, y, "asymptotic")]


def bootstrap():
    """SciPy's interval of a distribution that is given, with no resamples of its own."""
    cases = []
    for count in [99, 500]:
        sample = random.standard_normal(20)
        first = stats.bootstrap((sample,), numpy.median, n_resamples=count, method="percentile", rng=random)
        replicates = rounded(first.bootstrap_distribution, 6)
        first.bootstrap_distribution = numpy.array(replicates)
        intervals = []
        for confidence in [0.9, 0.95, 0.99]:
            result = stats.bootstrap(
                (sample,), numpy.median, n_resamples=0, bootstrap_result=first, method="percentile",
                confidence_level=confidence)
            low, high = result.confidence_interval
            intervals.append({"confidence": confidence, "low": float(low), "high": float(high)})
        cases.append({"replicates": replicates, "intervals": intervals})
    return cases


def median_resamples():
    """Medians of resamples that SciPy drew, for comparing distributions: quantiles, mean, standard deviation."""
    cases = []
    for count in [1, 2, 3, 4, 5, 8, 9, 30]:
        values = sorted(rounded(100 + 10 * random.standard_normal(count), 3))
        drawn = stats.bootstrap((values,), numpy.median, n_resamples=200_000, method="percentile", rng=random) \
            if count > 1 else None
        distribution = drawn.bootstrap_distribution if drawn else numpy.array(values)
        cases.append({
            "values": values,
            "quantiles": rounded(numpy.quantile(distribution, numpy.arange(1, 20) / 20), 6),
            "mean": float(distribution.mean()), "deviation": float(distribution.std())})
    return cases


def student():
    return [
        {"degrees": degrees, "p": p, "t": float(stats.t.ppf(p, degrees)),
         "probability": float(stats.t.cdf(p * 5 - 1, degrees))}
        for degrees in [1, 2, 3, 4, 5, 8, 17, 30, 58, 101] for p in [0.6, 0.9, 0.95, 0.975, 0.99, 0.995, 0.9999]]


def normal():
    return [{"p": p, "z": float(stats.norm.ppf(p)), "probability": float(stats.norm.cdf(stats.norm.ppf(p)))}
            for p in [1e-300, 1e-20, 1e-9, 0.001, 0.01, 0.05, 0.074, 0.076, 0.3, 0.5, 0.7, 0.95, 0.99, 0.999999]]


def holm():
    cases = []
    for count in [1, 2, 5, 9]:
        p = rounded(random.random(count) ** 3, 6)
        # SciPy has no such function. Holm's procedure by definition: the k-th smallest of n, times n − k + 1,
        # never decreasing.
        order = numpy.argsort(p, kind="stable")
        steps = numpy.minimum(numpy.maximum.accumulate(numpy.array(p)[order] * (count - numpy.arange(count))), 1)
        corrected = numpy.empty(count)
        corrected[order] = steps
        cases.append({"p": p, "corrected": [float(value) for value in corrected]})
    return cases


def signed_rank():
    """Exactly, with equal values and zeros by going through all signs, and by the normal distribution."""
    every = stats.PermutationMethod(n_resamples=float("inf"))
    cases = []
    for count in [1, 4, 10, 11, 25, 50]:
        cases.append((rounded(random.standard_normal(count) + 0.2, 6), "exact"))
    for count, values in [(6, 3), (9, 4), (12, 5), (14, 9)]:
        cases.append((rounded(random.integers(-values, values + 1, count), 0), every))
    for count, values in [(61, 10_000), (80, 12), (300, 10_000)]:
        cases.append((rounded(random.integers(-values, values + 2, count), 0), "approx"))
    return [{
        "differences": differences,
        "greater": float(stats.wilcoxon(differences, alternative="greater", method=method, correction=True).pvalue),
    } for differences, method in cases]


vectors = {
    "scipy": scipy.__version__, "exact": exact(), "tied": tied(), "asymptotic": asymptotic(), "bootstrap": bootstrap(),
    "medianResamples": median_resamples(), "student": student(), "normal": normal(), "holm": holm(),
    "signedRank": signed_rank(),
}
json.dump(vectors, sys.stdout, separators=(",", ":"))
print()
