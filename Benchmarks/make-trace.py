#!/usr/bin/env python3
"""Writes the JSON trace of a run that never was: make-trace.py SHAPE OPERATIONS FILE.json [stuck]

With `stuck`, the second half of the operations never finishes, and those of them that wait for others never start.
The same arguments give the same bytes. `opviz convert` makes the binary form of it. Shapes:
  random     each operation waits for up to six of the hundred before it, three on average; some are nested
  chain      each operation waits for the one before it
  star       the first half waits for nothing, and one operation for all of that; the rest waits for that one
  bipartite  every operation of a layer waits for every operation of the layer before it, about three edges an operation
             over all: two layers of that size, and operations without edges
  queues     as random, over 1,000 queues
  plain      no edges
  nested     no edges, and each operation is added in the body of the one before it
  serial     no edges, and one slot
  kinds      no edges, and each operation is of a kind of its own
"""
import heapq
import random
import sys

KINDS = ["Fetch", "Decode", "Resize", "Thumbnail", "Upload", "Parse", "Index", "Checksum", "BlockOperation", "Compress"]
SLOTS = 8
NESTED = 20


def predecessors(shape, count, source):
    """For each operation, those that it waits for, all of them earlier."""
    hub = count // 2
    layer = int((3 * count) ** 0.5) if count >= 12 else count // 2
    for index in range(count):
        if shape in ("random", "queues"):
            reach = min(index, 100)
            yield sorted({index - 1 - int(source() * reach) for _ in range(int(source() * 7))}) if reach else []
        elif shape == "chain":
            yield [index - 1] if index else []
        elif shape == "star":
            yield range(hub) if index == hub else [hub] if index > hub else []
        elif shape == "bipartite":
            yield range(layer) if layer <= index < 2 * layer else []
        elif shape in ("plain", "nested", "serial", "kinds"):
            yield []
        else:
            sys.exit(f"{shape} is no shape")


def events(shape, count, source, before, parents):
    """Every event as one number that sorts by time: nanoseconds, phase (0 enqueued … 3 finished), operation."""
    queues = 1000 if shape == "queues" else 1
    after = [[] for _ in range(count)]
    missing = [0] * count
    for index, list in enumerate(before):
        missing[index] = len(list)
        for predecessor in list:
            after[predecessor].append(index)
    # A nested operation is added when its parent has started: here, long after that.
    enqueued = [1000 * (index + 1) for index in range(count)]
    ready = enqueued[:]
    waiting = [(ready[index], index) for index in range(count) if missing[index] == 0]
    heapq.heapify(waiting)
    slots = [[0] * (1 if shape == "serial" else SLOTS) for _ in range(queues)]
    threads = [0] * count
    result = []
    while waiting:
        time, index = heapq.heappop(waiting)
        free = slots[index % queues]
        start = max(time, heapq.heappop(free)) + 300 + int(source() * 900)
        end = start + 1 + int(source() * source() * 15_000)
        heapq.heappush(free, end)
        threads[index] = 100 + int(source() * SLOTS)
        for phase, moment in enumerate((enqueued[index], time, start, end)):
            result.append(((moment << 2 | phase) << 32) | index)
        for successor in after[index]:
            ready[successor] = max(ready[successor], end + 200)
            missing[successor] -= 1
            if missing[successor] == 0:
                heapq.heappush(waiting, (ready[successor], successor))
    result.sort()
    return result, threads, queues


def main():
    shape, count, path = sys.argv[1], int(sys.argv[2]), sys.argv[3]
    isStuck = sys.argv[4:] == ["stuck"]
    source = random.Random(7).random
    before = [*predecessors(shape, count, source)]
    nests = shape == "random"
    parents = [index - index % NESTED if nests and index % NESTED > NESTED - 3 else None for index in range(count)]
    if shape == "nested":
        parents = [None, *range(count - 1)]
    order, threads, queues = events(shape, count, source, before, parents)
    last = order[-1] >> 34
    with open(path, "w", buffering=1 << 20) as file:
        file.write(
            '{"otherData":{"format":"opviz-trace","version":1,"process":"%s","pid":"4711","host":"box",'
            '"start":"1795233519123456789","closed":true ,"dropped":"00000000000000000000","lastAlive":"%016d.%03d"},\n'
            '"displayTimeUnit":"ms","traceEvents":[\n' % (shape, last // 1000, last % 1000))
        for queue in range(1, queues + 1):
            file.write(
                '{"ph":"i","s":"t","cat":"queue","name":"queue opened","pid":4711,"tid":1,"ts":0.000,"args":{"event":"opened",'
                '"queue":"0x%x","name":"queue %d","limit":%d,"suspended":false}},\n'
                % (queue, queue, 1 if shape == "serial" else SLOTS))
        words = ["enqueued", "ready", "executing", "finished"]
        separator = ""
        for event in order:
            index, phase, time = event & 0xFFFFFFFF, event >> 32 & 3, event >> 34
            more = ""
            # An operation that does not wait for a stuck one has started.
            if isStuck and index >= count // 2 and (phase == 3 or phase > 0 and any(
                    other >= count // 2 for other in before[index])):
                continue
            if phase == 0:
                more = ',"name":"item %d","queue":"0x%x"' % (index, index % queues + 1)
                if parents[index] is not None:
                    more += ',"parent":"0x%x"' % (parents[index] + 1)
                if len(before[index]):
                    more += ',"dependencies":[%s]' % ",".join('"0x%x"' % (other + 1) for other in before[index])
            elif phase == 3:
                more = ',"outcome":"failed","message":"no answer"' if index % 97 == 5 else ',"outcome":"succeeded"'
            file.write(
                '%s{"ph":"%s","cat":"op","name":"%s","id2":{"local":"0x%x"},"pid":4711,"tid":%d,"ts":%d.%03d,'
                '"args":{"event":"%s"%s}}' % (
                    separator, "bnne"[phase], f"Kind{index}" if shape == "kinds" else KINDS[index % 10], index + 1, threads[index] if phase > 1 else 1,
                    time // 1000, time % 1000, words[phase], more))
            separator = ",\n"
        file.write("\n]}\n")


main()
