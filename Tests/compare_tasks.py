#!/usr/bin/env python3
"""Compares what Tests/TaskStress wrote down itself with what opviz recorded of it. Reads the trace by read_optrace.py.

    compare_tasks.py TRUTH TRACE.optrace
"""
import bisect
import struct
import sys
from collections import Counter, defaultdict

import read_optrace

FIRST_TASK = 1 << 40

# Nanoseconds. The facts have the time of the kernel's clock. The log's is tied to it twice a second, to about 30 ns,
# and the kernel may change the rate of its own in between.
EXACTNESS = 1000


class Facts:
    """The truth: for each task its facts, each (time, thread, letter, first, second)."""

    def __init__(self, path):
        self.of = defaultdict(list)
        with open(path, "rb") as file:
            facts = sorted(struct.iter_unpack("<qIIQQQ", file.read()))
        self.created, self.cancelled, self.resumed = {}, {}, defaultdict(list)
        for time, task, thread, letter, first, second in facts:
            letter = chr(letter)
            if task:
                self.of[task].append((time, thread, letter, first, second))
            if letter == "C":
                self.created[first] = (task, thread)
            elif letter == "K":
                self.cancelled[first] = (time, task, thread)
            elif letter == "W":
                self.resumed[first].append((time, thread))


def number(identifier):
    """The runtime's number of a task; 0 for an operation or none."""
    return max(0, int(identifier or "0", 16) - FIRST_TASK)


def recorded(path):
    """For each task its events: (time, thread, event). And the executors that are actors."""
    with open(path, "rb") as file:
        log = read_optrace.Log(file.read())
    found, actors = defaultdict(list), set()
    for time, _, thread, event in log.events():
        if event["event"] == "executorOpened" and event["kind"] == "actor":
            actors.add(event["executor"])
        if int(event.get("id", "0"), 16) >= FIRST_TASK:
            found[number(event["id"])].append((time + log.monotonic, thread, event))
    return found, actors


class Comparison:
    def __init__(self, facts, events, actors):
        self.facts, self.events, self.is_actor = facts, events, actors.__contains__
        self.right, self.wrong, self.shown = Counter(), Counter(), []
        self.executor_of_actor, self.actor_of_executor = {}, {}
        # For each actor, when tasks had it: (begin, end, task).
        self.tenures = defaultdict(list)
        # When the recorder learned what a sleep and a yield look like: before, it calls them continuations.
        self.learned = {}
        for time, _, event in (entry for entries in events.values() for entry in entries):
            if event.get("after") in ("sleep", "yield"):
                self.learned[event["after"]] = min(time, self.learned.get(event["after"], time))

    def check(self, name, holds, *details):
        (self.right if holds else self.wrong)[name] += 1
        if not holds and len(self.shown) < 12:
            self.shown.append((name,) + details)

    def task(self, task):
        facts, events = self.facts.of[task], self.events.get(task, [])
        runs, waits, place, moves = [], [], None, []
        last, wakes, finish, is_ordered, created = None, [], None, True, []
        if events and events[0][2]["event"] == "runEnded":
            # It ran when the recording began.
            place = (0, events[0][1])
        for time, thread, event in events:
            kind = event["event"]
            if kind == "taskCreated":
                created.append((time, thread, event))
            elif kind == "runBegan":
                is_ordered &= place is None and finish is None
                place = (time, thread)
                moves.append((time, event.get("executor")))
                if last:
                    waits.append((last, time, wakes))
                last, wakes = None, []
            elif kind in ("runEnded", "finished"):
                is_ordered &= place is not None
                if place:
                    runs.append((place[0], time, place[1]))
                place, last, wakes = None, (time, event), []
                if kind == "finished":
                    is_ordered &= finish is None
                    finish, last = (time, event), None
            elif kind in ("taskEnqueued", "taskResumed"):
                wakes.append((time, thread, event))
            elif kind == "taskMoved":
                moves.append((time, event.get("executor")))
        self.early = [wake for wake in events if wake[2]["event"] in ("taskEnqueued", "taskResumed")]
        if place:
            runs.append((place[0], 1 << 62, place[1]))
        self.check("the order of runs", is_ordered, task, events)
        begin = [fact for fact in facts if fact[2] == "B"]
        if begin:
            self.lifetime(task, begin[0], facts, created, finish)
        starts = [run[0] for run in runs]
        for fact in facts:
            end = bisect.bisect_right(starts, fact[0] + EXACTNESS)
            self.check("a fact is in a run on its thread", any(
                fact[0] <= run[1] + EXACTNESS and fact[1] == run[2] for run in runs[max(0, end - 3):end]), task, fact)
        moves.sort(key=lambda move: move[0])
        self.actors(facts, moves)
        ends = sorted(run[1] for run in runs)
        for (time, executor), after in zip(moves, moves[1:] + [(1 << 62, None)]):
            if self.is_actor(executor):
                self.tenures[executor].append((time, min([after[0]] + ends[bisect.bisect_left(ends, time):][:1]), task))
        self.awaited(task, facts, waits)

    def exclusiveness(self):
        for executor, tenures in self.tenures.items():
            tenures.sort()
            for first, second in zip(tenures, tenures[1:]):
                self.check("an actor has one task at a time", first[1] <= second[0], executor, first, second)

    def lifetime(self, task, begin, facts, created, finish):
        self.check("created once", len(created) == 1, task, created)
        self.check("finished once", finish is not None, task)
        if created:
            parent = number(created[0][2].get("parent"))
            self.check("the parent of a child", begin[3] == 0 or parent == begin[3], task, begin, created)
            if task in self.facts.created:
                creator = self.facts.created[task]
                self.check("the creator", (parent, created[0][1]) == creator, task, created, creator)
        ends = [fact for fact in facts if fact[2] == "E"]
        if finish and ends:
            self.check("the body ends before the task", ends[0][0] <= finish[0] + EXACTNESS, task)
            self.check("no failure without an error", finish[1]["outcome"] != "failed" or ends[0][3] == 1, task)
        if task in self.facts.cancelled and finish:
            time, by, thread = self.facts.cancelled[task]
            calls = [(t, th, e) for t, th, e in self.events[task] if e["event"] == "taskCancelled"]
            self.check("who cancelled it", finish[0] < time or any(
                th == thread and number(e.get("by")) == by and t >= time - EXACTNESS for t, th, e in calls) or any(
                t > finish[0] for t, _, _ in calls), task, self.facts.cancelled[task], calls)

    def actors(self, facts, moves):
        times = [move[0] for move in moves]
        for fact in facts:
            place = bisect.bisect_right(times, fact[0]) - 1
            executor = moves[place][1] if place >= 0 else None
            # The end of a body, and what follows a wait in it, belong to no actor. A sleep may be within one.
            if (fact[2] == "E" or fact[2] == "R" and fact[3] != 7) and place >= 0:
                self.check("no actor outside of actors", not self.is_actor(executor), fact, executor)
            if fact[2] != "a":
                continue
            self.check("the actor of the code", executor is not None
                       and self.executor_of_actor.setdefault(fact[3], executor) == executor
                       and self.actor_of_executor.setdefault(executor, fact[3]) == fact[3], fact, executor)

    def awaited(self, task, facts, waits):
        times, open_fact = [wait[0][0] for wait in waits], None
        words = {1: "yield", 3: "continuation", 5: "task", 7: "sleep", 8: "group"}
        for fact in facts:
            if fact[2] == "A":
                open_fact = fact
            elif fact[2] == "R" and open_fact:
                within = waits[bisect.bisect_left(times, open_fact[0]):bisect.bisect_right(times, fact[0])]
                kind = open_fact[3]
                for (moment, event), _, wakes in within:
                    # Somebody may resume a task before it has left its thread.
                    wakes = wakes or [wake for wake in self.early if open_fact[0] <= wake[0] <= fact[0]]
                    word = event["awaits"]
                    if word == "continuation" and wakes:
                        word = next((e["after"] for _, _, e in wakes if e["after"] in ("sleep", "yield")), word)
                    is_early = word == "continuation" and moment <= self.learned.get(words.get(kind), 1 << 62)
                    # A yield is made of a continuation. One that is resumed before it is awaited has no event that tells
                    # the recorder that it was a yield: 1 of 5,000.
                    is_early |= word == "continuation" and words.get(kind) == "yield" and not wakes
                    if kind in words and word != "executor" and not is_early:
                        self.check("what it awaits: " + words[kind], word == words[kind], task, event, wakes)
                    if kind == 6 and word == "task":
                        child = next((e for _, _, e in self.events.get(number(event.get("task")), [])
                                      if e["event"] == "taskCreated"), {})
                        self.check("the awaited async let is its child",
                                   number(child.get("parent")) == task and child.get("creation") == "asyncLet", task, child)
                    if kind == 5 and word == "task":
                        self.check("the awaited task", number(event.get("task")) == open_fact[4], task, event, open_fact)
                        if any(e["event"] == "taskEnqueued" for _, _, e in wakes):
                            self.check("it is resumed by the awaited task",
                                       any(number(e.get("by")) == open_fact[4] for _, _, e in wakes), task, wakes)
                    if word == "continuation" and kind == 3:
                        own = [w for w in self.facts.resumed[task] if open_fact[0] <= w[0] <= fact[0]]
                        self.check("the thread that resumes a continuation", bool(own) and any(
                            thread == own[0][1] and time >= own[0][0] - EXACTNESS for time, thread, _ in wakes), task, wakes, own)
                open_fact = None


def main(truth, trace):
    facts = Facts(truth)
    comparison = Comparison(facts, *recorded(trace))
    for task in list(facts.of):
        comparison.task(task)
    comparison.exclusiveness()
    checks = sorted(set(comparison.right) | set(comparison.wrong))
    total, wrong = sum(comparison.right.values()), sum(comparison.wrong.values())
    for details in comparison.shown:
        print("wrong:", *details)
    for name in checks:
        if comparison.wrong[name]:
            print("%s: %d of %d wrong" % (name, comparison.wrong[name], comparison.right[name] + comparison.wrong[name]))
    assert len(checks) >= 15 and len(facts.of) > 100, "too little was compared: %s" % checks
    print("%d checks of %d tasks: %d wrong" % (total + wrong, len(facts.of), wrong))
    sys.exit(wrong > 0)


if __name__ == "__main__":
    main(*sys.argv[1:])
