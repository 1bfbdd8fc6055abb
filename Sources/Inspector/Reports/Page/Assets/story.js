// Why one operation took so long, in the words of `opviz explain`. Sentences are arrays of texts, and of numbers for
// operations, so that the page can make links of those.

function longestPart(waits) {
  return parts.reduce((longest, part) => (waits[part] > waits[longest] ? part : longest), "execution");
}

const ownWaits = (index) => Object.fromEntries(parts.map((part) => [part, operations[part][index]]));

function answer(index, holders) {
  if (!has(index, flag.enqueued)) {
    return [index, " was never added to a queue: the trace knows it only as a dependency."];
  }
  const details = [];
  if (plainName(index) !== kindName(index)) details.push(kindName(index));
  if (!has(index, flag.sharesName)) details.push(identifier(index));
  const aside = details.length === 0 ? "" : ` (${details.join(", ")})`;
  const verb = has(index, flag.finished) ? "took" : "has not finished after";
  const total = operations.total[index];
  const reason = total === 0 ? [] : [": ", ...mainReason(index, longestPart(ownWaits(index)), holders)];
  const ending = ["", "; it failed", "; it was cancelled"][operations.ending[index]] ?? "";
  return [index, `${aside} ${verb} ${duration(total)}`, ...reason, `${ending}.`];
}

function mainReason(index, part, holders) {
  const time = `${duration(operations[part][index])} of it`;
  switch (part) {
    case "dependency": {
      const last = operations.lastDependency[index];
      if (last < 0) return [`${time} until it became ready`];
      return [`${time} waiting for `, last, has(last, flag.finished) ? ", the last that it depends on" : ", which has not finished"];
    }
    case "suspended": return [`${time} in a suspended queue`];
    case "slot": {
      if (holders.length === 0) return [`${time} waiting for a slot`];
      const others = holders.length === 1 ? "" : ` of ${holders.length} that had one`;
      return [`${time} waiting for a slot; `, holders[0].operation, ` had one for ${duration(holders[0].time)} of that, the longest${others}`];
    }
    case "dispatch":
      return [time + (has(index, flag.started) ? " waiting for a thread, a slot being free" : " ready, with a slot free, and not started")];
    case "unknown": return [`of ${time} the trace does not say what it waited for`];
    default: return executionReason(index, time);
  }
}

function executionReason(index, time) {
  const began = bodyBegan(index);
  const { start, end } = operations;
  if (began !== null && began - start[index] > Math.floor((end[index] - start[index]) / 2)) {
    const said = source.marks.filter((mark) => mark.operation === index && mark.time <= began).pop();
    return [`${duration(began - start[index])} of it between its start and its body${said ? `, where it said: ${said.text}` : ""}`];
  }
  let longest = null;
  for (const wait of waitsOf.get(index) ?? []) {
    if (!longest || wait.end - wait.start >= longest.end - longest.start) longest = wait;
  }
  if (longest && longest.end - longest.start > Math.floor(operations.execution[index] / 2)) {
    return [`${duration(longest.end - longest.start)} of it blocking its thread until the end of `, ...waitTarget(longest)];
  }
  const own = operations.own[index];
  const covered = operations.execution[index] - own;
  if (covered <= 0 || covered <= own) return [`${time} executing`];
  const number = children.of(index).length;
  const subject = number === 1 ? "its child was" : `its ${number} children were`;
  const itself = has(index, flag.finished) ? `, ${duration(own)} by itself` : "";
  return [`${duration(covered)} of it while ${subject} at work${itself}`];
}

// Within its execution; null where it was not seen.
function bodyBegan(index) {
  if (operations.bodyBegan[index] === 0) return null;
  const moment = operations.enqueued[index] + operations.bodyBegan[index] - 1;
  return Math.min(Math.max(moment, operations.start[index]), operations.end[index]);
}

function waitTarget(wait) {
  if (wait.target !== undefined) return [wait.target];
  return [wait.queue === undefined ? "an operation" : `all of queue ${queueName(wait.queue - 1)}`];
}

// Where to look, when it is not at the operation itself.
function longestStep(index, chain, holders) {
  const totals = new Map();
  for (const { operation, waits } of chain.steps) {
    const sum = totals.get(operation) ?? noWaits();
    for (const part of parts) sum[part] += waits[part];
    totals.set(operation, sum);
  }
  let slowest = null;
  for (const [operation, waits] of totals) {
    const total = parts.reduce((sum, part) => sum + waits[part], 0);
    if (total > (slowest?.total ?? 0)) slowest = { operation, waits, total };
  }
  const part = longestPart(ownWaits(index));
  const named = part === "dependency" ? operations.lastDependency[index] : part === "slot" ? holders[0]?.operation : undefined;
  if (!slowest || slowest.operation === index || slowest.operation === named) return [];
  const most = longestPart(slowest.waits);
  const what = most === "execution" ? "executing"
    : most === "unknown" ? "for an unknown reason" : `waiting for ${waitWords[most]}`;
  const [whole, share] = [duration(slowest.total), duration(slowest.waits[most])];
  return [" Of the steps below, ", slowest.operation, ` took longest: ${whole === share ? `${whole} ${what}.` : `${whole}, ${share} of it ${what}.`}`];
}

// What happened, from the enqueue to the finish: [time, duration, sentence].
function eventsOf(index, holders) {
  const { enqueued, start, end } = operations;
  if (!has(index, flag.enqueued)) return [];
  const queue = operations.queue[index];
  const events = [[enqueued[index], 0, [
    "added", queue < 0 ? "" : ` to ${queueOf.get(queue)?.isNameless ? "" : "queue "}${queueName(queue)}`,
    ...(operations.parent[index] < 0 ? [] : [" by ", operations.parent[index]]),
  ]]];
  let cursor = enqueued[index];
  const add = (part, text) => {
    const time = operations[part][index];
    if (time > 0) events.push([cursor, time, text]);
    cursor += time;
  };
  add("dependency", dependencyText(index));
  add("suspended", ["its queue was suspended"]);
  add("slot", slotText(index, holders));
  add("dispatch", [has(index, flag.started) ? "waited for a thread, a slot being free for it" : "ready, with a slot free for it, and not started"]);
  if (has(index, flag.started)) {
    const earliest = start[index] - operations.startLatitude[index];
    if (earliest > cursor) events.push([cursor, earliest - cursor, ["waited; the trace does not say for what"]]);
    const thread = operations.thread[index];
    events.push([start[index], end[index] - start[index], [`executed${thread < 0 ? "" : `, started on thread ${source.threads[thread]}`}`]]);
    const noticeable = Math.max(1e6, Math.floor((end[index] - start[index]) / 100));
    const began = enqueued[index] + operations.bodyBegan[index] - 1;
    if (operations.bodyBegan[index] > 0 && began > start[index] && began - start[index] >= noticeable) events.push([began, 0, ["its body began"]]);
    const returned = enqueued[index] + operations.bodyEnded[index] - 1;
    if (operations.bodyEnded[index] > 0 && returned < end[index] && end[index] - returned >= noticeable && returned - start[index] >= noticeable) {
      events.push([returned, 0, ["its body returned"]]);
    }
  }
  if (operations.cancelled[index] > 0) events.push([enqueued[index] + operations.cancelled[index] - 1, 0, ["was cancelled"]]);
  for (const mark of source.marks) if (mark.operation === index) events.push([mark.time, 0, [`said: ${mark.text}`]]);
  for (const wait of waitsOf.get(index) ?? []) {
    events.push([wait.start, Math.max(0, wait.end - wait.start), ["blocked its thread until the end of ", ...waitTarget(wait)]]);
  }
  events.push([end[index], 0, [endingText(index)]]);
  return events.sort((a, b) => a[0] - b[0]);
}

function dependencyText(index) {
  const last = operations.lastDependency[index];
  if (last < 0) return [has(index, flag.ready) ? "became ready" : "was never ready, for a reason that is not in the trace"];
  if (!has(last, flag.finished)) return ["waits for ", last, ", which has not finished"];
  const number = predecessorsOf(index).length;
  return ["waited for ", last, number === 1 ? "" : `, the last of ${number} that it depends on`];
}

function slotText(index, holders) {
  const limit = queueOf.get(operations.queue[index])?.limit ?? -1;
  const text = [`waited for a slot${limit >= 0 ? ` of ${limit}` : ""}`];
  holders.slice(0, 3).forEach(({ operation, time }, position) => {
    text.push(position === 0 ? ", taken by " : ", ", operation, ` (${duration(time)})`);
  });
  if (holders.length > 3) text.push(` and ${holders.length - 3} more`);
  return text;
}

function endingText(index) {
  if (!has(index, flag.finished)) return has(index, flag.started) ? "still executed when the trace ended" : "had not started when the trace ended";
  if (operations.ending[index] === 1) return `failed: ${source.names[operations.message[index]] ?? ""}`;
  return operations.ending[index] === 2 ? "finished, cancelled" : "finished";
}

// `402 ms executing, 310 ms waiting for slots`: the largest first; parts under 1 % are left out.
function composition(chain) {
  const words = {
    execution: "executing", slot: "waiting for slots", suspended: "in suspended queues",
    dependency: "between a release and being ready", dispatch: "waiting for threads",
    beforeEnqueue: "before an operation was added", unknown: "unknown",
  };
  const { steps } = chain;
  if (steps.length === 0) return "nothing that took time";
  const length = steps[steps.length - 1].end - steps[0].start;
  const sums = Object.keys(words).map((part) => ({
    part, time: steps.reduce((sum, step) => sum + (step.waits[part] ?? step[part]), 0),
  }));
  const shown = sums.filter(({ time }) => time > 0 && time >= Math.floor(length / 100)).sort((a, b) => b.time - a.time);
  return shown.map(({ part, time }) => `${duration(time)} ${words[part]}`).join(", ") || "nothing that took time";
}

const relationOfStep = (step, isFirst) => ({
  added: isFirst ? "" : "added it", dependency: "was its last dependency", slot: isFirst ? "" : "had its slot",
  slotHeld: "still has its slot", child: "was its last child", blockingWait: "blocked its thread",
  programWait: "blocked the program",
})[step.reason];

function waitOfStep(step) {
  let longest = ["being added", step.beforeEnqueue];
  for (const part of parts) if (part !== "execution" && step.waits[part] > longest[1]) longest = [waitWords[part], step.waits[part]];
  return longest[0];
}

const delaying = {
  operations: places(source.delaying, source.delayingCount),
  times: numbers(source.delayingTimes, source.delayingCount, Float64Array),
};

// What it cost the run; without the replay that `opviz explain` does.
function costOf(index) {
  let part = 0;
  delaying.operations.forEach((operation, step) => { if (operation === index) part += delaying.times[step]; });
  const whole = duration(source.makespan);
  const share = source.makespan === 0 ? 0 : Math.round((part / source.makespan) * 100);
  const lines = [part === 0
    ? `What it cost the run: it is not on the chain that delayed the end of the run (${whole}).`
    : `What it cost the run: ${duration(part)} of ${whole}, ${share} %, are its steps on the chain that delayed the end of the run.`];
  const text = (slack) => (slack === 1 ? "none" : duration(slack - 1));
  if (operations.slack[index] > 0) {
    lines.push(`Slack: ${text(operations.slack[index])} through everything that delayed the run, `
      + `${text(operations.slackThroughDependencies[index])} through dependencies only (how much later it could have finished `
      + "without moving the end).");
  }
  return lines;
}
