// Everything that delayed an operation, back to the start: as DelayChains does it, over the page's columns.

const waitsOf = new Map();
for (const wait of source.blockingWaits) {
  if (wait.operation !== undefined) waitsOf.set(wait.operation, [...(waitsOf.get(wait.operation) ?? []), wait]);
}

// The finished operations of each queue, in order of time.
const finishedByQueue = new Map();
function finishedOn(queue) {
  if (!finishedByQueue.has(queue)) {
    const members = [];
    for (let index = 0; index < count; index += 1) {
      if (operations.queue[index] === queue && has(index, flag.finished)) members.push(index);
    }
    finishedByQueue.set(queue, members.sort((a, b) => operations.end[a] - operations.end[b] || a - b));
  }
  return finishedByQueue.get(queue);
}

// The first position whose member does not satisfy isBefore.
function partition(members, isBefore) {
  let low = 0;
  let high = members.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isBefore(members[middle])) low = middle + 1;
    else high = middle;
  }
  return low;
}

function ended(wait) {
  const limit = wait.isOpen ? Infinity : wait.end;
  if (wait.target !== undefined) {
    const end = Math.min(operations.end[wait.target], limit);
    return has(wait.target, flag.enqueued) && end > wait.start
      ? { moment: end, operation: wait.target, isChild: false } : null;
  }
  if (wait.queue === undefined) return null;
  const members = finishedOn(wait.queue - 1);
  let position = partition(members, (member) => operations.end[member] <= limit) - 1;
  if (position >= 0 && members[position] === wait.operation) position -= 1;
  if (position < 0 || operations.end[members[position]] <= wait.start) return null;
  return { moment: operations.end[members[position]], operation: members[position], isChild: false };
}

// A parent does not wait for a child because it added it.
const isWaitedFor = (child, parent) => has(child, flag.finished) || has(parent, flag.awaitsChildren);

// What an operation waited for while it executed, in order of time. At equal times, the later one in the log
// comes first.
function entriesOf(index) {
  const entries = [];
  const { start, end } = operations;
  for (const child of children.of(index)) {
    if (isWaitedFor(child, index) && has(child, flag.enqueued) && end[child] > start[index] && end[child] <= end[index]) {
      entries.push({ moment: end[child], operation: child, isChild: true });
    }
  }
  for (const wait of waitsOf.get(index) ?? []) {
    const entry = ended(wait);
    if (entry && entry.operation !== index && entry.moment > start[index] && entry.moment <= end[index]) entries.push(entry);
  }
  return entries.reverse().sort((a, b) => a.moment - b.moment);
}

const noWaits = () => Object.fromEntries(parts.map((part) => [part, 0]));

function partsOfStep(index, from, to, reason) {
  const waits = noWaits();
  let left = to - from;
  const take = (amount) => {
    const taken = Math.min(left, amount);
    left -= taken;
    return taken;
  };
  if (has(index, flag.started)) waits.execution = take(Math.max(0, to - operations.start[index]));
  waits.dispatch = take(operations.dispatch[index]);
  if (reason !== "slot") for (const part of ["slot", "suspended", "dependency"]) waits[part] = take(operations[part][index]);
  waits.unknown = left;
  return waits;
}

// The step that starts when the operation's last wait ended, and the operation that ended it, or -1: as
// DelayChains.beginning says, limited to a moment.
function beginning(index, moment) {
  const reason = reasons[operations.reason[index]];
  const own = Math.min(operations.causeTime[index], moment);
  const start = Math.min(own, operations.causeTime[index] - operations.beforeEnqueue[index]);
  const waits = partsOfStep(index, own, moment, reason);
  return { step: { operation: index, reason, start, end: moment, waits, beforeEnqueue: own - start }, next: operations.next[index] };
}

function chainTo(operation) {
  const steps = [];
  const isPassed = new Uint8Array(count);
  const left = new Map();
  const entriesByOperation = new Map();
  const standing = new Set();
  const executing = (time) => ({ ...noWaits(), execution: time });
  let isCircular = false;
  let neverAdded = -1;
  let current = operation;
  let moment = operations.end[operation];
  while (has(current, flag.enqueued)) {
    const last = steps[steps.length - 1];
    if (standing.size > 0 && last && last.start < last.end) standing.clear();
    if (!has(current, flag.finished)) standing.add(current);
    if (has(current, flag.started) && moment > operations.start[current]) {
      if (!entriesByOperation.has(current)) entriesByOperation.set(current, entriesOf(current));
      const entries = entriesByOperation.get(current);
      let remaining = left.get(current) ?? entries.length;
      let isClosed = false;
      for (; remaining > 0; remaining -= 1) {
        const entry = entries[remaining - 1];
        const closes = entry.moment === moment && standing.has(entry.operation);
        if (!closes && entry.moment <= moment && !isPassed[entry.operation]) break;
        isClosed ||= closes;
      }
      if (isClosed) {
        isCircular = true;
        steps.push({ operation: current, reason: "blockingWait", start: moment, end: moment, waits: executing(0), beforeEnqueue: 0 });
        break;
      }
      if (remaining > 0) {
        const entry = entries[remaining - 1];
        left.set(current, remaining - 1);
        steps.push({
          operation: current, reason: entry.isChild ? "child" : "blockingWait", start: entry.moment, end: moment,
          waits: executing(moment - entry.moment), beforeEnqueue: 0,
        });
        current = entry.operation;
        moment = entry.moment;
        continue;
      }
    }
    isPassed[current] = 1;
    const { step, next } = beginning(current, moment);
    steps.push(step);
    if (next < 0) break;
    if (step.reason === "neverAdded") {
      neverAdded = next;
      break;
    }
    if (isPassed[next] || (step.reason !== "added" && step.reason !== "remoteCause" && standing.has(next))) {
      isCircular = true;
      break;
    }
    current = next;
    moment = step.start;
  }
  return { steps: steps.reverse(), isCircular, neverAdded };
}
