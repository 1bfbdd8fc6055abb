#!/usr/bin/env python3
"""Instructions for one operation or task, plain and recorded, as callgrind counts them.

The count is the same on a busy machine, except for what threads do while they wait for each other: a few dozen
for each operation that runs. Each kind of work is counted for two amounts, to subtract the cost of starting and
stopping.

    count-instructions.py            print a table
    count-instructions.py --check    compare with Benchmarks/instructions.tsv
    count-instructions.py --record   write Benchmarks/instructions.tsv
"""
import collections
import concurrent.futures
import os
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
BUDGET = os.path.join(ROOT, "Benchmarks", "instructions.tsv")
SORTS = ["closure", "block", "own", "foreign"]
# What is committed.
WORKS = [(what, sort) for what in ("recorded", "off", "observed") for sort in SORTS] + [
    ("recorded", "task"), ("off", "task")]
FEW, MANY = 1000, 3000
# How many more than the committed figure an operation may take.
TOLERANCE = 150
# Threads that wait for each other make the counts of two runs differ by a hundred, and seldom by two or four. So the
# middle one of this many is committed, and a higher one counts only if twice as many are as high.
REPETITIONS = 3
# Functions that take fewer are committed as one.
SMALLEST = 5


def build(scratch):
    """The program, without debug information, which valgrind cannot read."""
    command = ["swift", "build", "-c", "release", "--product", "RecordingWork"]
    environment = os.environ | {"OPVIZ_DEVELOPMENT": "1"}
    built = subprocess.run(
        command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if built.returncode != 0:
        sys.exit(built.stdout)
    program = os.path.join(scratch, "RecordingWork")
    subprocess.run(["strip", "-g", "-o", program, os.path.join(ROOT, ".build/release/RecordingWork")], check=True)
    return program


def functions(path):
    """The instructions of each function itself, from a file that callgrind wrote."""
    names, costs, function, is_call = {}, collections.Counter(), None, False
    with open(path, errors="replace") as lines:
        for line in lines:
            named = re.match(r"(c?fn)=\((\d+)\)(?: (.*))?", line)
            if named:
                # The same function in another cycle of calls has a number after an apostrophe.
                if named[3]:
                    names[named[2]] = re.sub(r"'\d+$", "", named[3].strip())
                if named[1] == "fn":
                    function = named[2]
            elif line.startswith("calls="):
                is_call = True
            elif line[0] in "+-*0123456789" and function:
                # The line after a call has what the called function took.
                if not is_call:
                    costs[function] += int(line.split()[1])
                is_call = False
    by_name = collections.Counter()
    for number, cost in costs.items():
        by_name[names[number]] += cost
    return by_name


class Counter:
    def __init__(self, program, scratch):
        self.program, self.scratch = program, scratch
        self.pool = concurrent.futures.ThreadPoolExecutor(os.cpu_count())
        self.runs = {}

    def run(self, what, sort, count):
        out = os.path.join(self.scratch, f"{what}.{sort}.{count}")
        valgrind = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={out}"]
        subprocess.run(
            valgrind + [self.program, what, sort, str(count)],
            check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        return functions(out)

    def prepare(self, what, sort):
        """Begins to count one sort of work."""
        for count in (FEW, MANY):
            self.runs[what, sort, count] = self.pool.submit(self.run, what, sort, count)

    def each(self, what, sort):
        """The instructions for one, by function."""
        few, many = (self.runs[what, sort, count].result() for count in (FEW, MANY))
        return {name: (many[name] - few[name]) / (MANY - FEW) for name in few | many}


def environment():
    """What the counts depend on besides this project: Foundation and the processor."""
    version = subprocess.run(["swift", "--version"], check=True, capture_output=True, text=True).stdout
    return re.search(r"Swift version [\d.]+", version)[0] + ", " + os.uname().machine


def difference(with_it, without):
    return {name: with_it.get(name, 0) - without.get(name, 0) for name in with_it | without}


def table(counter):
    works = [("event", "-")]
    for sort in ["only-added"] + SORTS:
        works += [(what, sort) for what in ("plain", "recorded", "off", "observed")]
    works += [(what, "task") for what in ("plain", "recorded", "off")]
    for work in works:
        counter.prepare(*work)
    print("| instructions for one | plain | recorded | difference | difference ÷ plain |")
    print("|---|---|---|---|---|")
    print(f"| one event | | {sum(counter.each('event', '-').values()):.0f} | | |")
    for sort in ["only-added"] + SORTS:
        name = "closure, only added" if sort == "only-added" else f"operation: {sort}"
        plain = sum(counter.each("plain", sort).values())
        for what, words in [("recorded", ""), ("off", "; recorder off"), ("observed", "; an observer")]:
            total = sum(counter.each(what, sort).values())
            more = total - plain
            print(f"| {name}{words} | {plain:.0f} | {total:.0f} | {more:.0f} | {100 * more / plain:.1f} % |")
    plain = sum(counter.each("plain", "task").values())
    for what, words in [("recorded", ""), ("off", "; recorder off")]:
        total = sum(counter.each(what, "task").values())
        more = total - plain
        print(f"| empty task{words} | {plain:.0f} | {total:.0f} | {more:.0f} | {100 * more / plain:.1f} % |")


def added(program, scratch, works):
    """What recording adds to each of these sorts of operations, by function."""
    counter = Counter(program, scratch)
    for what, sort in sorted({("plain", sort) for _, sort in works}.union(works)):
        counter.prepare(what, sort)
    return {(what, sort): difference(counter.each(what, sort), counter.each("plain", sort)) for what, sort in works}


def total(functions):
    return sum(functions.values())


def demangled(names):
    names = list(names)
    found = subprocess.run(
        ["swift", "demangle", "-simplified", "-compact"], input="\n".join(names), capture_output=True, text=True)
    lines = found.stdout.splitlines()
    return dict(zip(names, lines)) if len(lines) == len(names) else {name: name for name in names}


def record(program, scratch):
    repetitions = [added(program, scratch, WORKS) for _ in range(REPETITIONS)]
    counts = {work: sorted((one[work] for one in repetitions), key=total)[REPETITIONS // 2] for work in WORKS}
    with open(BUDGET, "w") as file:
        file.write(f"{environment()}\n")
        file.write("mode\tsort\tfunction\tinstructions\n")
        for (what, sort), functions in counts.items():
            rest = total(functions)
            for name, cost in sorted(functions.items(), key=lambda item: (-item[1], item[0])):
                if abs(cost) >= SMALLEST:
                    file.write(f"{what}\t{sort}\t{name}\t{round(cost)}\n")
                    rest -= round(cost)
            file.write(f"{what}\t{sort}\tall others\t{round(rest)}\n")


def committed():
    """Where the figures were counted, and the figures."""
    budget = collections.defaultdict(dict)
    with open(BUDGET) as file:
        lines = file.readlines()
        for line in lines[2:]:
            what, sort, name, cost = line.rstrip("\n").split("\t")
            budget[what, sort][name] = int(cost)
    return lines[0].rstrip("\n"), budget


def check(program, scratch):
    place, budgets = committed()
    if place != environment():
        print(f"instructions are not compared: the figures are of {place}")
        return
    counts = added(program, scratch, list(budgets))

    def above():
        return [work for work in budgets if total(counts[work]) > total(budgets[work]) + TOLERANCE]

    for _ in range(2 * REPETITIONS - 1):
        for work, again in added(program, scratch, above()).items():
            counts[work] = min(counts[work], again, key=total)
    for (what, sort), budget in budgets.items():
        now = total(counts[what, sort])
        print(f"{what}, {sort}: {now:.0f} instructions an operation; committed: {total(budget)}")
        if (what, sort) not in above():
            continue
        grown = difference(counts[what, sort], budget)
        grown.pop("all others")
        largest = sorted(grown.items(), key=lambda item: -item[1])[:10]
        words = demangled(name for name, _ in largest)
        for name, cost in largest:
            if cost >= SMALLEST:
                print(f"    {cost:+.0f}  {words[name]}")
    if above():
        sys.exit(f"recording takes over {TOLERANCE} instructions more than committed, in the functions above")


def main():
    if not shutil.which("valgrind"):
        sys.exit("instructions are not counted: valgrind is not installed")
    with tempfile.TemporaryDirectory() as scratch:
        program = build(scratch)
        if sys.argv[1:] == []:
            table(Counter(program, scratch))
        elif sys.argv[1:] == ["--record"]:
            record(program, scratch)
        elif sys.argv[1:] == ["--check"]:
            check(program, scratch)
        else:
            sys.exit(__doc__)


main()
