#!/usr/bin/env python3
"""What samples of stacks cost the program: the CPU time of the same calculation, recorded with and without them.

    profile-cost.py OPVIZ [BLOCKS [HZ]]

Runs go in blocks of four, without and with samples and the other way round, so that a busy machine affects both.
Prints the ratio with an interval of 95 % confidence, and fails if it is certainly above 1.02.
"""
import os
import random
import statistics
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
LIMIT = 1.02


def build(scratch):
    program = os.path.join(scratch, "Calculations")
    source = os.path.join(ROOT, "Tests/Programs/Calculations.swift")
    subprocess.run(
        ["swiftc", "-O", "-Xcc", "-fno-omit-frame-pointer", "-swift-version", "6", source, "-o", program], check=True)
    return program


def used(opviz, program, scratch, options):
    """The median CPU time of one operation, as its own thread was told."""
    trace = os.path.join(scratch, "trace.json")
    command = [opviz, "record", "-q", *options, "-o", trace, "--", program, "1000", "return"]
    lines = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
    return statistics.median(int(line.split()[1]) for line in lines if line.startswith("Often "))


def main():
    opviz, blocks = sys.argv[1], int((sys.argv[2:] or [10])[0])
    samples = ["--profile=" + (sys.argv[3:] or ["499"])[0]]
    with tempfile.TemporaryDirectory() as scratch:
        program = build(scratch)
        ratios = []
        for _ in range(blocks):
            times = [used(opviz, program, scratch, options) for options in ([], samples, samples, [])]
            ratios += [times[1] / times[0], times[2] / times[3]]
    resamples = sorted(statistics.mean(random.choices(ratios, k=len(ratios))) for _ in range(10000))
    low, high = resamples[250], resamples[9750]
    print(
        f"CPU time of an operation with samples: {statistics.mean(ratios):.4f} of that without "
        f"({low:.4f} to {high:.4f}, {len(ratios)} pairs)")
    if low > LIMIT:
        sys.exit(f"samples cost more than {LIMIT - 1:.0%}")


main()
