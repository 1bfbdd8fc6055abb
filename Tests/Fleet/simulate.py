#!/usr/bin/env python3
"""Writes the traces of a fleet that never was: simulate.py FOLDER [PHOTOS]

A thousand runs of one program on twenty machines, in the JSON form of Documentation/TraceFormat.md: FOLDER/VERSION/HOST-N.json.
Each imports photos (9 without, four operations each and four more). The same arguments give the same bytes.

What is hidden in them, for the queries of Documentation/Fleet.md to find:
  - version 1.4.2 makes thumbnails 12 % slower, and nothing else;
  - the disk of web-13 is sick: it stores four times as slowly, with either version;
  - on web-07 two mirrors block threads in six runs of ten, so that others starve.
What must not be found: slow machines have more runs of 1.4.2 (70 %) than fast ones (30 %), days and runs have their weather,
twelve runs were killed, and of eight the recorder lost events.
"""
import heapq
import math
import os
import random
import sys

HOSTS = 20
RUNS = 50
START = 1_794_787_200_000_000_000  # 2026-11-16T00:00:00Z
DAYS = 5
SLOTS = {1: 4, 2: 2, 3: 4}
QUEUES = {1: "photos", 2: "disk", 3: "mirrors"}
MILLISECONDS = {"Plan": 2, "Fetch": 40, "Decode": 18, "Thumbnail": 25, "Store": 6, "Index": 30, "Notify": 10, "Report": 5}
MS = 1_000_000


def normal(source, sigma):
    """Box and Muller's transformation."""
    return sigma * math.sqrt(-2 * math.log(1 - source.random())) * math.cos(2 * math.pi * source.random())


def operations(photos, starved):
    """Kind, name, queue and predecessors of each, in the order in which they are added."""
    result = [("Plan", None, 1, [])]
    stored = []
    for photo in range(photos):
        first = len(result)
        for step, kind in enumerate(["Fetch", "Decode", "Thumbnail", "Store"]):
            before = [0] if step == 0 else [first + step - 1]
            result.append((kind, f"photo {photo + 1}", 2 if kind == "Store" else 1, before))
        stored.append(first + 3)
    index = len(result)
    result += [("Index", None, 1, stored), ("Notify", None, 1, [index]), ("Report", None, 1, [index])]
    if starved:
        result += [("Mirror", None, 3, []), ("Mirror", None, 3, [])]
    return result


def schedule(listed, durations, starved):
    """Enqueued, ready, executing and finished of each, and its thread: first come, first served, by queue."""
    count = len(listed)
    index = next(number for number, entry in enumerate(listed) if entry[0] == "Index")
    after = [[] for _ in listed]
    missing = [len(entry[3]) for entry in listed]
    for number, entry in enumerate(listed):
        for predecessor in entry[3]:
            after[predecessor].append(number)
    enqueued = [MS + 2_000 * number for number in range(count)]
    times = [[enqueued[number], 0, 0, 0, 0] for number in range(count)]
    waiting = {queue: [] for queue in SLOTS}
    free = {queue: list(range(slots)) for queue, slots in SLOTS.items()}
    moments = [(enqueued[number] + 1_000, 0, number) for number in range(count) if missing[number] == 0]
    heapq.heapify(moments)
    while moments:
        now, ended, number = heapq.heappop(moments)
        queue = listed[number][2]
        if ended:
            free[queue].append(times[number][4])
            for successor in after[number]:
                missing[successor] -= 1
                if missing[successor] == 0:
                    heapq.heappush(moments, (now + 1_000, 0, successor))
        else:
            times[number][1] = now
            heapq.heappush(waiting[queue], (now, number))
        while free[queue] and waiting[queue]:
            _, next_one = heapq.heappop(waiting[queue])
            # Starving operations have a slot, but no thread until the pool grows.
            start = max(now + 30_000, 700 * MS) if starved and queue == 2 else now + 30_000
            times[next_one][2:5] = [start, start + durations[next_one], free[queue].pop(0)]
            if listed[next_one][0] != "Mirror":
                heapq.heappush(moments, (start + durations[next_one], 1, next_one))
    for number, entry in enumerate(listed):
        if entry[0] == "Mirror":
            times[number][3] = times[index][3] + MS
    return times


def microseconds(nanoseconds):
    return f"{nanoseconds // 1000}.{nanoseconds % 1000:03}"


def events(listed, times, pid):
    """Every event with its time, in their order."""
    lines = [(0, f'{{"ph":"i","s":"t","cat":"queue","name":"queue opened","pid":{pid},"tid":1,"ts":0.000,"args":'
                 f'{{"event":"opened","queue":"0x{queue}","name":"{name}","limit":{SLOTS[queue]},"suspended":false}}}}')
             for queue, name in QUEUES.items()]
    index = next(number for number, entry in enumerate(listed) if entry[0] == "Index")

    def add(number, phase, time, arguments, category="op"):
        kind, _, queue, _ = listed[number]
        thread = 1 if phase == "b" else 10 * queue + times[number][4] + 1
        identity = f'"id2":{{"local":"0x{number + 1:x}"}},' if category == "op" else '"s":"t",'
        lines.append((time, f'{{"ph":"{phase}","cat":"{category}","name":"{kind}",{identity}"pid":{pid},"tid":{thread},'
                            f'"ts":{microseconds(time)},"args":{{{arguments}}}}}'))

    for number, (kind, name, queue, before) in enumerate(listed):
        enqueued, ready, start, finish, _ = times[number]
        named = f',"name":"{name}"' if name else ""
        listing = ",".join(f'"0x{predecessor + 1:x}"' for predecessor in before)
        dependencies = f',"dependencies":[{listing}]' if before else ""
        add(number, "b", enqueued, f'"event":"enqueued","queue":"0x{queue}"{named}{dependencies}')
        add(number, "n", ready, '"event":"ready"')
        add(number, "n", start, '"event":"executing"')
        if kind == "Mirror":
            waited = f'"operation":"0x{number + 1:x}"'
            add(number, "i", start + 1_000, f'"event":"waitBegan","on":"0x{index + 1:x}",{waited}', "wait")
            add(number, "i", times[index][3] + 1_000, f'"event":"waitEnded",{waited}', "wait")
        add(number, "e", finish, '"event":"finished","outcome":"succeeded"')
    lines.sort(key=lambda line: line[0])
    return lines


def trace(source, host, version, day, number, photos, damage):
    starved = host == 7 and source.random() < 0.6
    listed = operations(photos, starved)
    speed = math.exp(0.25 * (host - 10.5) / 9.5 + normal(random.Random(f"day {day}"), 0.05) + normal(source, 0.06))
    durations = []
    for kind, _, _, _ in listed:
        factor = 1.12 if kind == "Thumbnail" and version == "1.4.2" else 4 if kind == "Store" and host == 13 else 1
        durations.append(int(MILLISECONDS.get(kind, 0) * MS * factor * speed * math.exp(normal(source, 0.15))))
    pid = 1_000 + 97 * number
    lines = events(listed, schedule(listed, durations, starved), pid)
    end, dropped = lines[-1][0], 0
    if damage == "killed":
        end = end * 2 // 3
        lines = [line for line in lines if line[0] <= end]
    elif damage == "lossy":
        kept = lines[:3] + [line for line in lines[3:] if source.random() < 0.8]
        dropped, lines = len(lines) - len(kept), kept
    start = START + (day * 86_400 + number * 1_500 + host) * 1_000 * MS + source.randrange(1_000 * MS)
    head = (f'{{"otherData":{{"format":"opviz-trace","version":1,"process":"photod","pid":"{pid}","host":"web-{host:02}",'
            f'"start":"{start}","closed":{"false" if damage == "killed" else "true"},"dropped":"{dropped}",'
            f'"lastAlive":{microseconds(end)}}},\n"traceEvents":[\n')
    return head + ",\n".join(line for _, line in lines) + "\n]}\n"


def main():
    folder, photos = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 9
    damaged = random.Random("damage").sample(range(HOSTS * RUNS), 20)
    damages = {run: "killed" if place < 12 else "lossy" for place, run in enumerate(damaged)}
    for version in ["1.4.1", "1.4.2"]:
        os.makedirs(os.path.join(folder, version), exist_ok=True)
    for host in range(1, HOSTS + 1):
        share = 0.3 + 0.4 * (host - 1) / (HOSTS - 1)
        for number in range(RUNS):
            source = random.Random(f"{host} {number}")
            version = "1.4.2" if source.random() < share else "1.4.1"
            text = trace(source, host, version, number % DAYS, number, photos, damages.get((host - 1) * RUNS + number))
            with open(os.path.join(folder, version, f"web-{host:02}-{number:02}.json"), "w") as file:
                file.write(text)


main()
