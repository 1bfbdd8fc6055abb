// Everything that delayed an operation, back to the start: as DelayChains does it, over the page's columns.

const waitsOf = new Map();
for (const wait of source.blockingWaits) {
  if (wait.operation === undefined) continue;
  if (!waitsOf.has(wait.operation)) waitsOf.set(wait.operation, []);
  waitsOf.get(wait.operation).push(wait);
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

// What an operation waited for while it executed, in order of time.
function entriesOf(index) {
  const entries = [];
  for (let at = waits.first[index]; at < waits.first[index + 1]; at += 1) {
    entries.push({ moment: waits.moment[at], operation: waits.operation[at], reason: reasons[waits.reason[at]] });
  }
  return entries;
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

function partsOfTaskStep(index, from, to) {
  const taskParts = taskPartsBetween(index, from, to);
  return { waits: { ...noWaits(), execution: taskParts[tasks.running] }, taskParts };
}

// The step that starts when the operation's last wait ended, and the operation that ended it, or -1: as
// DelayChains.beginning says, limited to a moment.
function beginning(index, moment) {
  const reason = reasons[operations.reason[index]];
  const own = Math.min(operations.causeTime[index], moment);
  const start = Math.min(own, operations.causeTime[index] - operations.beforeEnqueue[index]);
  const step = { operation: index, reason, start, end: moment, beforeEnqueue: own - start };
  const spent = isTask(index) ? partsOfTaskStep(index, own, moment) : { waits: partsOfStep(index, own, moment, reason) };
  return { step: { ...step, ...spent }, next: operations.next[index] };
}

function chainTo(operation) {
  const steps = [];
  const isPassed = new Uint8Array(count);
  const left = new Map();
  const entriesByOperation = new Map();
  const standing = new Set();
  const executing = (time) => ({ ...noWaits(), execution: time });
  let [closing, closingReason] = [-1, ""];
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
      for (; remaining > 0; remaining -= 1) {
        const entry = entries[remaining - 1];
        const closes = entry.moment === moment && standing.has(entry.operation);
        if (!closes && entry.moment <= moment && !isPassed[entry.operation]) break;
        if (closes && closing < 0) [closing, closingReason] = [entry.operation, entry.reason];
      }
      if (closing >= 0) {
        steps.push({ operation: current, reason: closingReason, start: moment, end: moment, waits: executing(0), beforeEnqueue: 0 });
        break;
      }
      if (remaining > 0) {
        const entry = entries[remaining - 1];
        left.set(current, remaining - 1);
        steps.push({
          operation: current, reason: entry.reason, start: entry.moment, end: moment, beforeEnqueue: 0,
          ...(isTask(current) ? partsOfTaskStep(current, entry.moment, moment) : { waits: executing(moment - entry.moment) }),
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
      closing = next;
      break;
    }
    current = next;
    moment = step.start;
  }
  return { steps: steps.reverse(), isCircular: closing >= 0, closing, neverAdded };
}
