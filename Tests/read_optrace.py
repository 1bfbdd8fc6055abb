#!/usr/bin/env python3
"""Reads a binary trace, compact or not, from Documentation/TraceFormat.md alone, and compares it with the JSON that opviz made of it.

    read_optrace.py TRACE.optrace TRACE.json
"""
import heapq
import json
import struct
import sys
from bisect import bisect_right
from decimal import Decimal

NAMES = {16: "enqueued", 17: "sighted", 18: "dependency", 19: "dependencyRemoved", 20: "ready", 21: "executing",
         22: "cancelled", 23: "finished", 24: "bodyBegan", 25: "bodyEnded", 30: "bodyUsed", 26: "contextSent", 27: "contextReceived", 28: "unnotifiedFinish", 29: "slotFree", 31: "operationSearched", 32: "opened", 33: "renamed",
         34: "suspended", 35: "resumed", 36: "limit", 37: "allCancelled", 48: "mark", 49: "waitBegan",
         50: "waitBegan", 51: "waitEnded", 56: "left", 57: "preempted", 58: "blocked", 59: "waitedForCPU",
         38: "taskCreated", 39: "taskEnqueued", 40: "runBegan", 41: "runEnded", 42: "taskResumed", 43: "taskMoved",
         44: "executorOpened", 45: "taskCancelled", 46: "taskSearched", 60: "switchesLost", 52: "sampling", 53: "sampled", 54: "sampledInKernel", 55: "sampledBlocked", 61: "frame"}
PROCESSORS = ("processors", "usableProcessors", "processorQuota", "laterProcessors")
OUTCOMES = ["succeeded", "cancelled", "failed"]
CREATIONS = ["unstructured", "asyncLet", "groupChild", "immediate"]
AWAITED = ["unknown", "task", "continuation", "group", "executor", "sleep", "yield"]
EXECUTORS = ["pool", "main", "actor", "custom"]


def signed(number):
    return number - (1 << 64) if number >> 63 else number


def identifier(number):
    return "0x%x" % number


class Log:
    def __init__(self, data):
        assert data[:8] == b"OPTRACE\n", "no magic"
        version, header, size, self.flags = struct.unpack_from("<4I", data, 8)
        assert version == 1, version
        (self.clock, self.pid, self.wall, self.monotonic, self.start, self.alive, self.dropped,
         self.overwritten) = struct.unpack_from("<QQqQQQQQ", data, 24)
        self.boot = struct.unpack_from("<QQ", data, 88)
        length, = struct.unpack_from("<Q", data, 104)
        self.processors = struct.unpack_from("<IIII", data, 648)
        self.other_program = bool(self.flags & 4)
        assert not self.flags & 1 or len(data) >= length, "cut at %d of %d bytes" % (len(data), length)
        self.data, self.texts, streams, processes = data, {0: ""}, {}, []
        for offset in range(header, len(data) - 31, size):
            kind, _, stream, sequence = struct.unpack_from("<IIQQ", data, offset)
            body = (offset + 32, min(offset + size, len(data)))
            if kind == 1:
                streams.setdefault(stream, []).append((sequence, body))
            elif kind == 2:
                self.read_texts(*body)
            elif kind == 3:
                processes.append((sequence, data[slice(*body)]))
        self.processes = []
        if processes:
            numbers = Numbers(b"".join(part for _, part in sorted(processes)))
            self.processes = numbers.processes()
            numbers.processors_of(self.processes)
            numbers.limits_of(self.processes)
        self.streams = [self.records([body for _, body in sorted(streams[s])]) for s in sorted(streams)]
        self.anchors = [(self.start, self.monotonic)]
        if self.clock == 1:
            for time, monotonic in sorted((t, s) for stream in self.streams for t, s, k, _ in stream if k == 2):
                if time > self.anchors[-1][0] and monotonic > self.anchors[-1][1]:
                    self.anchors.append((time, monotonic))

    def read_texts(self, offset, end):
        while offset + 8 <= end:
            number, count = struct.unpack_from("<II", self.data, offset)
            if number == 0:
                return
            self.texts[number] = self.data[offset + 8:offset + 8 + count].decode()
            offset += (8 + count + 7) // 8 * 8

    def records(self, bodies):
        found = []
        for offset, end in bodies:
            while offset + 24 <= end:
                time, subject, last = struct.unpack_from("<3Q", self.data, offset)
                if last == 0:
                    break
                found.append((time, subject, last & 255, last >> 8))
                offset += 24
        return found

    def nanoseconds(self, time):
        if len(self.anchors) < 2:
            return time - self.start
        place = bisect_right(self.anchors, (time, 1 << 64)) - 1
        place = min(max(place, 0), len(self.anchors) - 2)
        (t0, m0), (t1, m1) = self.anchors[place], self.anchors[place + 1]
        product = (time - t0) * (m1 - m0)
        line = abs(product) // (t1 - t0) * (1 if product >= 0 else -1)
        return m0 - self.monotonic + line

    def stream_events(self, records):
        thread, process, said = 0, 0, {"dependencies": []}
        for time, subject, kind, argument in records:
            if kind == 1:
                thread = subject
            elif kind == 10:
                process = subject
            elif kind < 16:
                self.prefix(kind, subject, argument, said)
            else:
                if kind in NAMES:
                    yield time, (process, thread, self.event(kind, subject, argument, said))
                said = {"dependencies": []}

    def prefix(self, kind, subject, argument, said):
        if kind == 3:
            said["notBefore"] = subject
        elif kind == 4:
            said["name"] = self.text_of(argument)
        elif kind == 5:
            said["parent"] = identifier(subject)
        elif kind == 6:
            said["dependencies"].append(identifier(subject))
        elif kind == 7:
            said["number"] = signed(subject)
        elif kind == 9:
            said["origin"] = self.text_of(argument)

    def add_search(self, event, argument, said):
        event["holder"] = self.text_of(argument)
        if "name" in said:
            event["unseen"] = said["name"]

    def text_of(self, number):
        # A missing segment was overwritten.
        return self.texts.get(number, "?")

    def event(self, kind, subject, argument, said):
        event = {"event": NAMES[kind]}
        if "notBefore" in said:
            event["notBefore"] = self.nanoseconds(said["notBefore"])
        text = lambda shift: self.text_of(argument >> shift)
        if kind == 27:
            event["traceparent"] = text(0)
        if kind == 27 and subject == 0:
            return event
        if kind < 32 or 38 <= kind <= 46 and kind != 44:
            event["id"] = identifier(subject)
        elif kind < 48:
            event["executor" if kind == 44 else "queue"] = identifier(subject)
        if 38 <= kind <= 46:
            return self.task_event(event, kind, argument, said)
        if kind == 16:
            event.update(kind=text(28), queue=identifier(argument & (1 << 28) - 1))
            event.update({key: said[key] for key in ("name", "parent", "origin") if key in said})
            if said["dependencies"]:
                event["dependencies"] = said["dependencies"]
            if said.get("number"):
                event["priority"] = said["number"]
        elif kind == 17:
            event["kind"] = text(0)
            if "name" in said:
                event["name"] = said["name"]
        elif kind in (18, 19):
            event["predecessor"] = said["dependencies"][0]
        elif kind == 23:
            event["outcome"] = OUTCOMES[argument & 3]
            if argument & 3 == 2:
                event["message"] = text(2)
        elif kind == 30:
            event["onCPU"] = argument
            if "number" in said:
                event["waitedForCPU"] = said["number"]
        elif kind == 31:
            self.add_search(event, argument, said)
        elif kind == 32:
            event.update(name=text(1), limit=said["number"], suspended=bool(argument & 1))
        elif kind == 33:
            event["name"] = text(0)
        elif kind == 36:
            event["limit"] = said["number"]
        elif kind == 61:
            event.update(stack=subject, function=text(0))
            if "name" in said:
                event["module"] = said["name"]
            if said.get("number"):
                event["caller"] = said["number"]
        elif kind == 52:
            event.update(lost=subject, perSecond=said["number"])
            if "name" in said:
                event["withoutCallers"] = said["name"]
        elif kind in (53, 54, 55):
            event["stack"] = subject
        elif kind >= 56:
            event["nanoseconds"] = subject
        elif kind >= 48:
            if kind == 48:
                event["text"] = text(0)
            elif kind in (49, 50):
                event["on" if kind == 49 else "queue"] = identifier(subject)
            if "parent" in said:
                event["operation"] = said["parent"]
        return event

    def task_event(self, event, kind, argument, said):
        bits = lambda first, end: argument >> first & (1 << end - first) - 1
        executor, by = bits(0, 28), "parent" if kind == 38 else "by"
        if "parent" in said:
            event[by] = said["parent"]
        if kind == 38:
            executor = 0
            event.update(kind=self.text_of(bits(0, 28)), creation=CREATIONS[bits(36, 40)], queued=bool(bits(40, 41)))
            if bits(28, 36):
                event["priority"] = bits(28, 36)
            if "origin" in said:
                event["origin"] = said["origin"]
        elif kind == 39:
            event["after"] = AWAITED[bits(28, 32)]
        elif kind == 40:
            if "name" in said:
                event["name"] = said["name"]
        elif kind == 41:
            executor = bits(32, 56)
            event.update(awaits=AWAITED[bits(0, 4)], place=self.text_of(bits(4, 32)))
            if said["dependencies"]:
                event["task"] = said["dependencies"][0]
        elif kind == 45:
            executor = 0
        elif kind == 46:
            executor = 0
            self.add_search(event, argument, said)
        elif kind == 42:
            executor = 0
            event["after"] = AWAITED[bits(0, 4)]
        elif kind == 44:
            executor = 0
            event.update(kind=EXECUTORS[bits(0, 2)], name=self.text_of(bits(2, 56)))
        if executor:
            event["executor"] = identifier(executor)
        return event

    def events(self):
        merged = heapq.merge(*([(time, number, event) for time, event in self.stream_events(stream)]
                               for number, stream in enumerate(self.streams)), key=lambda entry: entry[:2])
        return [(self.nanoseconds(time), process, thread, event) for time, _, (process, thread, event) in merged]


class Numbers:
    """Numbers and texts in as few bytes as they need."""

    def __init__(self, data, offset=0):
        self.data, self.offset = data, offset

    def number(self):
        number, shift = 0, 0
        while True:
            byte = self.data[self.offset]
            self.offset += 1
            number |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return number

    def signed(self):
        number = self.number()
        return number >> 1 ^ -(number & 1)

    def text(self):
        count = self.number()
        self.offset += count
        return self.data[self.offset - count:self.offset].decode()

    def processes(self):
        found = []
        for _ in range(self.number()):
            process = {"pid": self.number(), "start": self.signed(), "offset": self.signed(), "shift": self.signed(),
                       "operationsBefore": self.number(), "dropped": self.number(), "closed": self.number() == 1,
                       "lastAlive": self.signed()}
            process.update(process=self.text(), host=self.text())
            found.append(process)
        return found

    def processors_of(self, processes):
        for process in processes:
            if self.offset >= len(self.data):
                return
            numbers = self.number(), self.number()
            if all(numbers):
                process["processors"], process["usableProcessors"] = numbers

    def limits_of(self, processes):
        for process in processes:
            for key in PROCESSORS[2:]:
                number = self.number() if self.offset < len(self.data) else 0
                if number:
                    process[key] = number


class CompactLog(Numbers, Log):
    """The compact form: the same records, one after the other."""

    def __init__(self, data):
        Numbers.__init__(self, data, 8)
        self.texts = {0: ""}
        version, self.pid, self.wall, self.dropped, self.flags, self.alive = (self.number() for _ in range(6))
        assert 1 <= version <= 8, version
        self.expects = version >= 5
        self.has_end = version < 3
        self.process, self.host = self.text(), self.text()
        self.boot, self.monotonic, self.processes = (0, 0), 0, []
        if version >= 2:
            self.boot, self.monotonic = (self.number(), self.number()), self.number()
            self.processes = Numbers.processes(self)
        if version >= 4:
            self.recorder = self.text()
        if version >= 6:
            self.processor_times = self.number()
        self.processors = (self.number(), self.number()) if version >= 7 else (0, 0)
        if version >= 7:
            self.processors_of(self.processes)
        self.other_program = version >= 8 and self.number() == 1
        self.processors += (self.number(), self.number()) if version >= 8 else (0, 0)
        if version >= 8:
            self.limits_of(self.processes)
        self.anchors, self.start = [], 0

    def events(self):
        process, thread, threads, time, said, found = 0, 0, [], 0, {"dependencies": []}, []
        subjects, arguments, last_text = {}, {}, b""
        while self.offset < len(self.data):
            kind = self.data[self.offset]
            has_subject = has_second = True
            if self.expects:
                has_subject, has_second, kind = not kind & 64, not kind & 128, kind & 63
            self.offset += 1
            if kind == 8:
                shared = self.number() if self.expects else 0
                assert shared <= min(len(last_text), 127), "shares more than there is"
                count = self.number()
                last_text = last_text[:shared] + self.data[self.offset:self.offset + count]
                self.offset += count
                self.texts[len(self.texts)] = last_text.decode()
                continue
            if kind == 11:
                assert self.number() == len(found) and self.offset == len(self.data), "the end is not there"
                self.has_end = True
                continue
            if kind == 1:
                number = self.number()
                if number == len(threads):
                    threads.append(self.number())
                thread = threads[number]
                continue
            if kind == 10:
                process = self.number()
                continue
            has_argument = kind in (4, 9, 16, 17, 23, 27, 30, 31, 32, 33) or 38 <= kind <= 46 or kind == 48 or kind >= 52
            if kind >= 16 and (has_argument or has_second):
                time += signed(self.number()) if self.expects else self.signed()
            expected = subjects.get(kind, 0) + (1 if self.expects and (kind >= 16 or kind == 6) else 0)
            subject = subjects[kind] = expected + (self.signed() if has_subject else 0) & (1 << 64) - 1
            argument = 0
            if has_argument:
                if not has_second:
                    argument = len(self.texts) - 1 if kind == 4 else arguments.get(kind, 0)
                else:
                    argument = self.number()
                    if self.expects and kind == 16:
                        argument |= self.number() << 28
                arguments[kind] = argument
            if kind == 3:
                length = signed(subject)
                said["length"] = length
            elif kind < 16:
                self.prefix(kind, subject, argument, said)
            else:
                if "length" in said:
                    said["notBefore"] = time - said.pop("length")
                found.append((time, process, thread, self.event(kind, subject, argument, said)))
                said = {"dependencies": []}
        assert self.has_end, "cut"
        return found


def json_events(path):
    with open(path, encoding="utf-8") as file:
        trace = json.load(file, parse_float=Decimal)
    found, processes = [], trace["otherData"].get("processes", [])
    numbers = {int(process.get("eventPid", process["pid"])): index for index, process in enumerate(processes)}
    for entry in trace["traceEvents"]:
        if entry.get("cat") not in ("op", "queue", "mark", "wait", "process", "cpu", "sample"):
            continue
        event = dict(entry["args"])
        if "notBefore" in event:
            event["notBefore"] = int(Decimal(event["notBefore"]) * 1000)
        if entry["cat"] == "op":
            event["id"] = entry["id2"]["local"]
            if event["event"] in ("enqueued", "sighted", "taskCreated"):
                event["kind"] = entry["name"]
        found.append((int(entry["ts"] * 1000), numbers.get(entry["pid"], 0), entry["tid"], event))
    return trace["otherData"], found


def main(binary, text):
    with open(binary, "rb") as file:
        data = file.read()
    log = (CompactLog if data[:8] == b"OPTRACEC" else Log)(data)
    events, (header, expected) = log.events(), json_events(text)
    for index, (ours, theirs) in enumerate(zip(events, expected)):
        # The names of closures are not in a log: opviz finds them in the program's file.
        if "origin" in ours[3] and ours[3]["kind"] == "BlockOperation":
            ours[3].update({key: theirs[3][key] for key in ("kind", "name") if key in theirs[3] and ours[3].get(key) in (None, "BlockOperation")})
        if ours[3]["event"] in ("taskCreated", "runEnded"):
            for key in ("kind", "place"):
                if "+0x" in ours[3].get(key, ""):
                    ours[3].update({key: theirs[3][key], **{key: theirs[3][key] for key in ["origin"] if key in theirs[3]}})
        assert ours == theirs, "event %d: %r is %r in JSON" % (index, ours, theirs)
    assert len(events) == len(expected), (len(events), len(expected))
    for ours, theirs in zip(log.processes, header.get("processes", [])):
        for key in PROCESSORS:
            assert (key in ours) == (key in theirs), (key, ours, theirs)
        for key, value in ours.items():
            if key in ("offset", "shift", "lastAlive"):
                assert value == int(Decimal(theirs[key]) * 1000), (key, value, theirs)
            else:
                assert value == theirs[key] or value == int(theirs[key]), (key, value, theirs)
    assert len(log.processes) == len(header.get("processes", []))
    if "boot" in header:
        assert header["boot"] == "%016x%016x" % log.boot and int(header["monotonic"]) == log.monotonic
    for key, value in zip(PROCESSORS, log.processors):
        assert int(header.get(key, 0)) == value, (key, value, header)
    assert header.get("otherProgram", False) == log.other_program, header
    assert header["closed"] == bool(log.flags & 1) and int(header["start"]) == log.wall
    print("%d events of %s are the same in both readers" % (len(events), binary))


if __name__ == "__main__":
    main(*sys.argv[1:])
