// The trace: a block of JSON, and its columns as arrays of numbers. An operation is an index into them.

const dataOf = (id) => JSON.parse(document.getElementById(id)?.textContent ?? "null");
// Of a page of two runs: one of them is shown, as the page of a single run would show it. Null on other pages.
const comparison = dataOf("comparison");
const isBefore = comparison !== null && new URLSearchParams(location.hash.slice(1)).get("run") === "before";
const source = dataOf(isBefore ? "trace-before" : "trace");
const count = source.count;

// Decodes variable-length numbers from base64, as PageColumn writes them: seven bits a byte, low bits first.
// Bit 0 of a number is its sign. Sums replace shifts, which have only 32 bits in JavaScript.
function numbers(column, length, Kind) {
  const result = new Kind(length);
  if ("same" in column) return result.fill(column.same);
  const text = atob(column.differences ?? column.numbers ?? "");
  const isDifference = "differences" in column;
  let position = 0;
  let before = 0;
  for (let index = 0; index < length; index += 1) {
    let value = 0;
    let scale = 1;
    let byte;
    do {
      byte = text.charCodeAt(position);
      position += 1;
      value += (byte & 127) * scale;
      scale *= 128;
    } while (byte > 127);
    const half = Math.floor(value / 2);
    const number = value % 2 === 1 ? -half - 1 : half;
    before = isDifference ? before + number : number;
    result[index] = before;
  }
  return result;
}

// A column of the operations of a run.
const columnOf = (run, name, Kind = Float64Array) => numbers(run.operations[name], run.count, Kind);
const times = (name) => columnOf(source, name);
const integers = (name) => columnOf(source, name, Int32Array);
// Indices are stored plus one, so that 0 means nothing. Here -1 means nothing.
const places = (column, length) => numbers(column, length, Int32Array).map((place) => place - 1);

const parts = Object.keys(source.phrases.parts);
// Why a step of a chain began when it did.
const reasons = Object.keys(source.phrases.reasons);
const flag = { enqueued: 1, started: 2, finished: 4, critical: 8, delaying: 16, sharesName: 32, ready: 64, waitedFor: 128 };

const operations = {
  name: integers("name"), kind: integers("kind"), queue: places(source.operations.queue, count),
  thread: places(source.operations.thread, count), parent: places(source.operations.parent, count),
  idHigh: times("idHigh"), idLow: times("idLow"), flags: integers("flags"), ending: integers("ending"),
  message: places(source.operations.message, count),
  startLatitude: times("startLatitude"), bodyBegan: times("bodyBegan"), bodyEnded: times("bodyEnded"),
  cancelled: times("cancelled"), beforeEnqueue: times("beforeEnqueue"), lastDependency: places(source.operations.lastDependency, count),
  reason: integers("reason"), standstill: integers("standstill"), slack: times("slack"), slackThroughDependencies: times("slackThroughDependencies"),
};

// When the operations of a run were added, started and ended, and the parts of their lifetimes.
function lifetimesOf(run) {
  const { count, tasks } = run;
  const times = (name) => columnOf(run, name);
  const all = { enqueued: times("enqueued"), total: new Float64Array(count), start: new Float64Array(count), end: new Float64Array(count) };
  for (const part of parts) all[part] = times(part);
  const startLater = times("startLater");
  const endLater = times("endLater");
  for (let index = 0; index < count; index += 1) {
    const total = parts.reduce((sum, part) => sum + all[part][index], 0);
    const enqueued = all.enqueued[index];
    all.start[index] = enqueued + total - all.execution[index] + startLater[index];
    all.end[index] = enqueued + total + endLater[index];
    // The lifetime of a task contains what it awaited, which operations do not have.
    all.total[index] = index < (tasks?.first ?? count) ? total : all.end[index] - enqueued;
  }
  return all;
}
Object.assign(operations, lifetimesOf(source));
// When the parts of its lifetime that are named, and all before them, were over.
const afterParts = (...names) => (index) => names.reduce((time, part) => time + operations[part][index], operations.enqueued[index]);
const readyTime = afterParts("dependency");
const slotTakenTime = afterParts("dependency", "suspended", "slot");
if (source.processNames) {
  operations.process = integers("process");
  operations.remoteCause = places(source.operations.remoteCause, count);
}

// Where the members of each group begin in a list of all, and the end of the list.
const starts = (counts) => {
  const first = new Int32Array(counts.length + 1);
  counts.forEach((number, at) => { first[at + 1] = first[at] + number; });
  return first;
};

// What operations and tasks waited for while they executed: what ended each wait, when, and how; and of tasks how long it took.
const waits = (() => {
  const { counts, count: total, operations: others, beforeEnd, reasons: kinds, lengths } = source.waits;
  const first = starts(numbers(counts, count, Int32Array));
  const operation = numbers(others, total, Int32Array);
  for (let index = 0; index < count; index += 1) {
    for (let at = first[index]; at < first[index + 1]; at += 1) operation[at] += index;
  }
  return { first, operation, moment: numbers(beforeEnd, total, Float64Array), reason: numbers(kinds, total, Uint8Array), length: numbers(lengths, total, Float64Array) };
})();

// Columns that are computed from the others.
operations.own = new Float64Array(count);
// 0 stands for the usual one, 1 for none.
operations.next = numbers(source.operations.next, count, Int32Array).map((place) => place - 2);
operations.causeTime = new Float64Array(count);
{
  const covered = times("covered");
  const causeLater = times("causeLater");
  const all = operations;
  for (let index = 0; index < count; index += 1) {
    all.own[index] = all.execution[index] - covered[index];
    const reason = reasons[all.reason[index]];
    if (all.next[index] === -2) {
      all.next[index] = reason === "added" ? all.parent[index]
        : reason === "dependency" || reason === "neverAdded" ? all.lastDependency[index] : -1;
    }
    const expected = reason === "dependency" ? readyTime(index)
      : reason === "slot" ? slotTakenTime(index)
      : reason === "slotHeld" ? all.end[index] : all.enqueued[index];
    all.causeTime[index] = expected + causeLater[index];
  }
  for (let at = 0; at < waits.moment.length; at += 1) waits.moment[at] = all.end[waits.operation[at]] - waits.moment[at];
}
const has = (index, bit) => (operations.flags[index] & bit) !== 0;

// Members by group, in two arrays: members[first[g]] to members[first[g + 1] - 1] belong to group g, in
// ascending order.
function grouping(groups, length, groupOf) {
  const first = new Int32Array(groups + 1);
  for (let index = 0; index < length; index += 1) {
    const group = groupOf(index);
    if (group >= 0) first[group + 1] += 1;
  }
  for (let group = 0; group < groups; group += 1) first[group + 1] += first[group];
  const next = first.slice();
  const members = new Int32Array(first[groups]);
  for (let index = 0; index < length; index += 1) {
    const group = groupOf(index);
    if (group >= 0) members[next[group]++] = index;
  }
  return { first, members, of: (group) => members.subarray(first[group], first[group + 1]) };
}

const children = grouping(count, count, (index) => operations.parent[index]);

const edges = (() => {
  const counts = numbers(source.graph.predecessors, count, Int32Array);
  const total = counts.reduce((sum, number) => sum + number, 0);
  const distances = numbers(source.graph.distances, total, Int32Array);
  const isCritical = numbers(source.graph.criticalEdges, total, Uint8Array);
  const from = new Int32Array(total);
  const to = new Int32Array(total);
  const first = new Int32Array(count + 1);
  for (let index = 0, edge = 0; index < count; index += 1) {
    first[index + 1] = first[index] + counts[index];
    for (; edge < first[index + 1]; edge += 1) {
      from[edge] = index - distances[edge];
      to[edge] = index;
    }
  }
  const outgoing = grouping(count, total, (edge) => from[edge]);
  return { count: total, from, to, isCritical, first, outgoing };
})();

const predecessorsOf = (index) => edges.from.subarray(edges.first[index], edges.first[index + 1]);
const successorsOf = (index) => edges.outgoing.of(index).map((edge) => edges.to[edge]);
