#!/usr/bin/env python3
"""Writes the JSON trace of a small run in which something goes wrong that no program of Examples/hazards shows, or
none shows in a small picture:
hazard-trace.py RULE FILE.json

The same arguments give the same bytes. Times are in milliseconds.
"""
import json
import sys


class Run:
    def __init__(self):
        self.events, self.numbers = [], {}

    def event(self, time, phase, kind, name, args, operation=None, thread=1):
        event = {"cat": kind, "ph": phase, "name": name, "pid": 7, "tid": thread, "ts": time * 1000, "args": args}
        if operation:
            event["id2"] = {"local": operation}
        self.events.append((time, len(self.events), event))

    def queue(self, number, name, limit, suspended=None):
        args = {"event": "opened", "queue": hex(number), "name": name, "limit": limit, "suspended": bool(suspended)}
        self.event(0, "i", "queue", "queue opened", args)
        if suspended:
            self.event(suspended, "i", "queue", "resumed", {"event": "resumed", "queue": hex(number)})

    def operation(self, name, enqueued=0, ready=None, start=None, finish=None, cancelled=None, after=(), queue=1,
                  kind="Work", priority=0, outcome="succeeded", thread=None):
        number = hex(len(self.numbers) + 1)
        self.numbers[name] = number
        thread = thread or len(self.numbers) + 1
        args = {"event": "enqueued", "name": name, "queue": hex(queue)}
        if priority:
            args["priority"] = priority
        if after:
            args["dependencies"] = list(after)
        self.event(enqueued, "b", "op", kind, args, number)
        for time, word in ((ready, "ready"), (start, "executing"), (cancelled, "cancelled")):
            if time is not None:
                self.event(time, "n", "op", kind, {"event": word}, number, thread)
        if finish is not None:
            self.event(finish, "e", "op", kind, {"event": "finished", "outcome": outcome}, number, thread)

    def wait(self, inside, target, begin, end, thread):
        args = {"event": "waitBegan", "on": target, "operation": inside}
        self.event(begin, "B", "wait", "wait", args, thread=thread)
        if end is not None:
            self.event(end, "E", "wait", "wait", {"event": "waitEnded"}, thread=thread)

    def write(self, path, end):
        def known(value):
            return self.numbers.get(value, value)
        for _, _, event in self.events:
            args = event["args"]
            for key in ("operation", "on"):
                if key in args:
                    args[key] = known(args[key])
            if "dependencies" in args:
                args["dependencies"] = [known(name) for name in args["dependencies"]]
        header = {"format": "opviz-trace", "version": 1, "process": "example", "pid": "7", "host": "box", "start": "0",
                  "closed": True, "dropped": "0", "lastAlive": "%d.000" % (end * 1000)}
        events = [event for _, _, event in sorted(self.events, key=lambda item: item[:2])]
        with open(path, "w") as file:
            json.dump({"otherData": header, "traceEvents": events}, file, indent=0)


def dependency_cycle(run):
    run.queue(1, "imports", 4)
    run.operation("download", ready=0, start=1, finish=80)
    run.operation("decode", after=["download", "store"])
    run.operation("check", after=["decode"])
    run.operation("store", after=["check"])
    return 900


def finished_before_start(run):
    run.queue(1, "uploads", 1)
    run.operation("upload 1", ready=0, start=1, finish=400)
    run.operation("upload 2", ready=1, cancelled=100, finish=101, outcome="cancelled")
    return 500


def slow_to_cancel(run):
    run.queue(1, "exports", 1)
    run.operation("export", ready=0, start=1, cancelled=300, finish=2600, outcome="cancelled")
    run.operation("preview", ready=1, start=2601, finish=2650)
    return 2700


def thread_starvation(run):
    run.queue(1, "pages", 8)
    for index in range(2):
        run.operation("page %d" % (index + 1), ready=0, start=1, finish=1300, thread=10 + index)
        run.wait("page %d" % (index + 1), "thumbnail", 5, 1250, 10 + index)
    run.operation("thumbnail", enqueued=3, ready=3, start=1100, finish=1240)
    return 1400


def priority_inversion(run):
    run.queue(1, "pictures", 2)
    for index in range(2):
        run.operation("prefetch %d" % (index + 1), ready=0, start=1 + index, finish=1400 + index, priority=-8)
    run.operation("visible", enqueued=50, ready=50, start=1400, finish=1500, priority=8)
    return 1600


def over_serialized(run):
    run.queue(1, "resize", 1)
    run.queue(2, "report", 1)
    for index in range(4):
        run.operation("picture %d" % (index + 1), ready=0, start=300 * index, finish=300 * index + 300)
    run.operation("report", ready=1200, start=1200, finish=1300, queue=2,
                  after=["picture %d" % (index + 1) for index in range(4)])
    return 1300


def dead_air(run):
    run.queue(1, "network", 4, suspended=1500)
    run.operation("login", ready=0, start=1500, finish=1700)
    run.operation("fetch", ready=1700, start=1701, finish=2100, after=["login"])
    return 2200


RULES = {function.__name__.replace("_", "-"): function for function in (
    dependency_cycle, finished_before_start, slow_to_cancel, thread_starvation, priority_inversion, over_serialized, dead_air)}


def main():
    if len(sys.argv) != 3 or sys.argv[1] not in RULES:
        sys.exit("hazard-trace.py RULE FILE.json; rules: " + " ".join(RULES))
    run = Run()
    run.write(sys.argv[2], RULES[sys.argv[1]](run))


main()
