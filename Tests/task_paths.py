#!/usr/bin/env python3
"""Recomputes the critical path through operations and Swift tasks with networkx, from the events of a trace alone, and compares
it with what opviz says. Reads the trace by read_optrace.py.

    task_paths.py OPVIZ TRACE.optrace
"""
import json
import subprocess
import sys
from bisect import bisect_right
from collections import defaultdict

import networkx
import read_optrace

FIRST_TASK = 1 << 40
NOT_AWAITED = ("executor", "yield", None)


class Task:
    def __init__(self):
        self.created = self.enqueued = self.finished = self.parent = self.creation = None
        # Each: start, end, when the task was ready afterwards, what it awaited, which task, who made it ready.
        self.runs = []
        self.is_running = False
        # Until the next run: when it was enqueued, and when its continuation was resumed.
        self.ready = self.resumed = None

    def begin_of_life(self):
        known = [time for time in (self.enqueued, self.runs and self.runs[0]["start"], self.finished) if time is not None]
        return self.created if self.created is not None else min(known, default=None)

    def run(self, moment):
        """The last run that began by then, as an index."""
        place = bisect_right([run["start"] for run in self.runs], moment) - 1
        return place if place >= 0 else None


class Operation:
    def __init__(self):
        self.enqueued = self.executing = self.finished = self.parent = self.finisher = None
        self.dependencies, self.thread = [], None


def read(path):
    with open(path, "rb") as file:
        log = read_optrace.Log(file.read())
    tasks, operations, on_thread, end = defaultdict(Task), defaultdict(Operation), defaultdict(list), 0
    for time, _, thread, event in log.events():
        end = max(end, time)
        kind, name = event["event"], int(event.get("id", "0"), 16)
        by = int(event.get("by") or "0", 16)
        inner = on_thread[thread][-1] if on_thread[thread] else None
        if name >= FIRST_TASK:
            task = tasks[name]
            last = task.runs[-1] if task.runs else None
            if kind == "taskCreated":
                task.created, task.parent = time, int(event.get("parent") or "0", 16)
                task.creation = event["creation"]
                if event.get("queued"):
                    task.enqueued = task.ready = time
            elif kind == "taskEnqueued":
                task.ready = time
                if task.enqueued is None and not last:
                    task.enqueued = time
                if last and by:
                    last["by"] = by
            elif kind == "taskResumed":
                if last:
                    task.resumed, last["by"] = time, by
            elif kind == "runBegan":
                if last:
                    woken = task.ready if task.ready is not None else task.resumed
                    if woken is not None:
                        last["ready"] = min(max(woken, last["end"]), time)
                task.ready = task.resumed = None
                task.runs.append({"start": time, "end": None, "ready": None, "awaits": None, "task": 0, "by": 0,
                                  "thread": thread})
                task.is_running = True
                on_thread[thread].append(name)
            elif kind in ("runEnded", "finished"):
                if task.is_running:
                    last["end"], task.is_running = time, False
                    on_thread[last["thread"]].remove(name)
                    if kind == "runEnded":
                        last["awaits"], last["task"] = event["awaits"], int(event.get("task") or "0", 16)
                if kind == "finished":
                    task.finished = time
            if kind in ("taskEnqueued", "taskResumed") and last and event.get("after") in ("sleep", "yield"):
                if last["awaits"] in ("continuation", None):
                    last["awaits"] = event["after"]
        elif name:
            operation = operations[name]
            if kind == "enqueued":
                operation.enqueued, operation.parent = time, int(event.get("parent") or "0", 16)
                body = operations[operation.parent].executing if operation.parent else None
                if inner and (not operation.parent or body is not None and tasks[inner].runs[-1]["start"] >= body):
                    operation.parent = inner
                operation.dependencies += [int(other, 16) for other in event.get("dependencies", [])]
            elif kind == "dependency":
                operation.dependencies.append(int(event["predecessor"], 16))
            elif kind == "executing":
                operation.executing, operation.thread = time, thread
            elif kind == "finished":
                operation.finished = time
                is_own = operation.thread == thread and inner and tasks[inner].runs[-1]["start"] < operation.executing
                if inner and (operation.thread != thread or is_own):
                    operation.finisher = inner
    end = max(end, log.alive)
    for task in tasks.values():
        for run in task.runs:
            run["end"] = end if run["end"] is None else run["end"]
    return tasks, operations, end


class Paths:
    """Vertices are (identifier, run or None, is_end). Each has a time, and no edge takes longer than its times allow."""

    def __init__(self, tasks, operations, end):
        self.tasks, self.operations, self.end = tasks, operations, end
        self.graph, self.times = networkx.DiGraph(), {}
        for name, operation in operations.items():
            if operation.enqueued is not None:
                start = operation.executing if operation.executing is not None else operation.finished or end
                self.vertices(name, None, start, end if operation.finished is None else operation.finished)
        for name, task in tasks.items():
            if task.begin_of_life() is not None:
                finish = end if task.finished is None else task.finished
                self.vertices(name, None, task.runs[0]["start"] if task.runs else finish, finish)
            for place, run in enumerate(task.runs):
                self.vertices(name, place, run["start"], run["end"])
        self.add_tasks()
        self.add_operations()

    def vertices(self, name, run, start, end):
        self.times[name, run, False], self.times[name, run, True] = start, end
        self.graph.add_nodes_from(((name, run, False), (name, run, True)))

    def edge(self, source, target, lag):
        if source not in self.times or target not in self.times:
            return
        assert self.times[source] + lag <= self.times[target], (source, target, lag)
        old = self.graph.get_edge_data(source, target, {"lag": -1})
        self.graph.add_edge(source, target, lag=max(lag, old["lag"]))

    def cause(self, name, moment):
        """What somebody did last by then."""
        if name in self.tasks:
            run = self.tasks[name].run(moment)
            if run is None:
                return None
            return (name, run, self.tasks[name].runs[run]["end"] <= moment)
        if (name, None, False) not in self.times or self.times[name, None, False] > moment:
            return None
        return (name, None, self.times[name, None, True] < moment)

    def after(self, name, moment, target):
        cause = self.cause(name, moment)
        if cause:
            self.edge(cause, target, moment - self.times[cause])

    def add_tasks(self):
        for name, task in self.tasks.items():
            if task.parent and (name, None, False) in self.times:
                if task.parent in self.tasks:
                    self.after(task.parent, task.begin_of_life(), (name, None, False))
                    scope = (task.parent, None, True)
                    if task.creation in ("asyncLet", "groupChild") and self.times.get(scope, -1) >= self.times[name, None, True]:
                        self.edge((name, None, True), scope, 0)
            if not task.runs:
                continue
            self.edge((name, None, False), (name, 0, False), 0)
            for place, run in enumerate(task.runs):
                self.edge((name, place, False), (name, place, True), run["end"] - run["start"])
                if place + 1 < len(task.runs):
                    self.between(name, place, run, task.runs[place + 1]["start"])
            last = len(task.runs) - 1
            self.edge((name, last, True), (name, None, True), self.times[name, None, True] - task.runs[last]["end"])

    def between(self, name, place, run, start):
        """From a run to the next, and from what woke the task."""
        target, ready, by = (name, place + 1, False), run["ready"], run["by"]
        by = 0 if by == name or (by, None, True) not in self.times and by not in self.tasks and by not in self.operations else by
        woken = None
        if run["awaits"] not in NOT_AWAITED:
            if by and ready is not None and ready > run["end"]:
                woken = (by, ready)
            elif run["task"] and not by and run["task"] != name and (run["task"], None, True) in self.times:
                finish, limit = self.times[run["task"], None, True], start if ready is None else ready
                if run["end"] < finish <= limit:
                    woken = (run["task"], finish)
        unexplained = 0 if woken else (start if ready is None else ready) - run["end"]
        self.edge((name, place, True), target, unexplained)
        if woken:
            self.after(*woken, target)

    def children(self, name):
        return sorted(
            (self.tasks[child].begin_of_life() if child in self.tasks else self.operations[child].enqueued, child)
            for child, parent in self.parents() if parent == name)

    def parents(self):
        for name, task in self.tasks.items():
            if task.parent and (name, None, False) in self.times:
                yield name, task.parent
        for name, operation in self.operations.items():
            if operation.parent and operation.enqueued is not None:
                yield name, operation.parent

    def add_operations(self):
        by_parent = defaultdict(list)
        for child, parent in self.parents():
            begin = self.tasks[child].begin_of_life() if child in self.tasks else self.operations[child].enqueued
            by_parent[parent].append((begin, child))
        for name, operation in self.operations.items():
            if (name, None, False) not in self.times:
                continue
            start, finish = self.times[name, None, False], self.times[name, None, True]
            if operation.parent in self.tasks:
                self.after(operation.parent, operation.enqueued, (name, None, False))
            if operation.finisher:
                self.after(operation.finisher, finish, (name, None, True))
            for other in operation.dependencies:
                source = (other, None, True)
                if source in self.times and self.times[source] <= start:
                    self.edge(source, (name, None, False), 0)
            own, cursor, last = finish - start if operation.executing is not None else 0, start, None
            for begin, child in sorted(by_parent[name]):
                child_end, child_start = self.times[child, None, True], self.times[child, None, False]
                is_within = child_end <= finish
                if is_within or child == operation.finisher:
                    first, until = max(begin, cursor), min(child_end, finish)
                    if until > first:
                        own, cursor = own - (until - first), until
                if child_start >= start:
                    self.edge((name, None, False), (child, None, False), begin - start)
                if is_within and (last is None or child_end > self.times[last, None, True]):
                    last = child
            for _, child in by_parent[name]:
                if self.times[child, None, True] <= finish:
                    lag = finish - self.times[child, None, True] if child == last else 0
                    self.edge((child, None, True), (name, None, True), lag)
            self.edge((name, None, False), (name, None, True), own)

    def length(self):
        assert networkx.is_directed_acyclic_graph(self.graph)
        return networkx.dag_longest_path_length(self.graph, weight="lag")


def main(opviz, path):
    paths = Paths(*read(path))
    said = json.loads(subprocess.run([opviz, "critical-path", path, "--format", "json"], check=True, capture_output=True).stdout)
    length = paths.length()
    assert said["criticalPathNs"] == length, "opviz says %d, networkx %d" % (said["criticalPathNs"], length)
    chain = said["chain"]
    assert chain and sum(step["endNs"] - step["atNs"] for step in chain) == said["delayingNs"]
    assert all(step["endNs"] == next_step["atNs"] for step, next_step in zip(chain, chain[1:])), "a gap in the chain"
    tasks = sum(int(step["operation"], 16) >= FIRST_TASK for step in said["criticalPath"])
    print("%d tasks, %d operations, %d edges: a path of %.3f ms through %d operations and %d tasks; a chain of %d steps" % (
        len(paths.tasks), len(paths.operations), paths.graph.number_of_edges(), length / 1e6,
        len(said["criticalPath"]) - tasks, tasks, len(chain)))


if __name__ == "__main__":
    main(*sys.argv[1:])
