// Explains why an operation took so long, in the same sentences as `opviz explain`.

function longestPart(waits) {
  return parts.reduce((longest, part) => (waits[part] > waits[longest] ? part : longest), "execution");
}

const ownWaits = (index) => Object.fromEntries(parts.map((part) => [part, operations[part][index]]));

function answer(index, holders) {
  if (!has(index, flag.enqueued))
    return isTask(index) ? say("onlyNamed", index) : say("neverAdded", index, dependentsText(index));
  const details = [];
  if (plainName(index) !== kindName(index)) details.push(kindName(index));
  if (!has(index, flag.sharesName)) details.push(identifier(index));
  const aside = [[], say("aside", ...details), say("asides", ...details)][details.length];
  const total = operations.total[index];
  const itself = operations.standstill[index] < 0;
  const reason = isTask(index) ? reasonOfTask(index) : total === 0 ? [] : say("because", itself
    ? source.standstills[-operations.standstill[index] - 1]
    : mainReason(index, longestPart(ownWaits(index)), holders));
  const ending = [[], say("andFailed"), say("andCancelled")][operations.ending[index]] ?? [];
  return say(has(index, flag.finished) ? "took" : "unfinished", index, aside, duration(total), reason, ending);
}

function reasonOfTask(index) {
  const text = answerOfTask(index);
  return text.length === 0 ? [] : say("because", text);
}

function mainReason(index, part, holders) {
  const time = duration(operations[part][index]);
  const last = operations.lastDependency[index];
  switch (part) {
    case "dependency":
      if (last < 0) return say("untilReady", time);
      if (has(last, flag.finished)) return say("forLastDependency", time, last);
      return say(has(last, flag.enqueued) ? "forOpenDependency" : "forMissingDependency", time, last);
    case "suspended": return say("inSuspendedQueue", time);
    case "slot": {
      if (holders.length === 0) return say("forSlot", time);
      const [holder, held] = [holders[0].operation, duration(holders[0].time)];
      if (holders.length === 1) return say("forSlotOf", time, holder, held);
      return say("forSlotOfSeveral", time, grouped(holders.length), holder, held);
    }
    case "dispatch": return say(has(index, flag.started) ? "forThread" : "notStarted", time);
    case "unknown": return say("forUnknown", time);
    default: return executionReason(index, time);
  }
}

function dependentsText(index) {
  const [first, ...others] = successorsOf(index);
  if (first === undefined) return [];
  return others.length === 0 ? say("ofDependent", first) : say("ofDependents", first, grouped(others.length));
}

function executionReason(index, time) {
  const began = bodyBegan(index);
  const { start, end } = operations;
  if (began !== null && began - start[index] > Math.floor((end[index] - start[index]) / 2)) {
    const said = source.marks.filter((mark) => mark.operation === index && mark.time <= began).pop();
    return say("beforeBody", duration(began - start[index]), said ? say("whereItSaid", said.text) : []);
  }
  let longest = null;
  for (const wait of waitsOf.get(index) ?? []) {
    if (!longest || wait.end - wait.start >= longest.end - longest.start) longest = wait;
  }
  if (longest && longest.end - longest.start > Math.floor(operations.execution[index] / 2)) {
    return say("blocking", duration(longest.end - longest.start), waitTarget(longest));
  }
  const own = operations.own[index];
  const covered = operations.execution[index] - own;
  if (covered <= 0 || covered <= own) {
    const text = partsText(index);
    return text ? say("executingParts", time, text) : say("executing", time);
  }
  const number = children.of(index).length;
  const itself = has(index, flag.finished) ? say("byItself", duration(own)) : [];
  return number === 1 ? say("duringChild", duration(covered), itself) : say("duringChildren", duration(covered), grouped(number), itself);
}

// When the body began, limited to the execution; null if it was not observed.
function bodyBegan(index) {
  if (operations.bodyBegan[index] === 0) return null;
  const moment = operations.enqueued[index] + operations.bodyBegan[index] - 1;
  return Math.min(Math.max(moment, operations.start[index]), operations.end[index]);
}

const ofQueue = (named, nameless, queue) => say(queueOf.get(queue)?.isNameless ? nameless : named, queueName(queue));

function waitTarget(wait) {
  if (wait.target !== undefined) return wait.target;
  return wait.queue === undefined ? say("anOperation") : ofQueue("allOfQueue", "allOfNamelessQueue", wait.queue - 1);
}

// What it waits for in the end, if it has not finished; or else the step to look at, if that is not the
// operation itself.
function longestStep(index, chain, holders) {
  if (operations.standstill[index] > 0) return say("standstill", source.standstills[operations.standstill[index] - 1]);
  const totals = new Map();
  for (const { operation, waits, taskParts } of chain.steps) {
    const sum = totals.get(operation) ?? { waits: noWaits(), taskParts: taskParts && noTaskParts() };
    for (const part of parts) sum.waits[part] += waits[part];
    taskParts?.forEach((time, part) => { sum.taskParts[part] += time; });
    totals.set(operation, sum);
  }
  let slowest = null;
  for (const [operation, { waits, taskParts }] of totals) {
    const total = taskParts?.reduce((sum, time) => sum + time, 0) ?? parts.reduce((sum, part) => sum + waits[part], 0);
    if (total > (slowest?.total ?? 0)) slowest = { operation, waits, taskParts, total };
  }
  const part = isTask(index) ? "execution" : longestPart(ownWaits(index));
  const named = part === "dependency" ? operations.lastDependency[index] : part === "slot" ? holders[0]?.operation : undefined;
  if (!slowest || slowest.operation === index || slowest.operation === named) return [];
  if (slowest.taskParts) {
    const most = longestTaskPart(slowest.taskParts);
    return stepTook(slowest.operation, slowest.total, slowest.taskParts[most], tasks.parts[most].activity);
  }
  const most = longestPart(slowest.waits);
  const doing = most === "execution" ? say("stepExecuting")
    : most === "unknown" ? say("stepUnknown")
    : most === "dependency" && chain.neverAdded >= 0 && slowest.operation === chain.steps[0].operation
      ? say("stepWaitingFor", chain.neverAdded) : say("stepWaiting", phrases.waits[most]);
  return stepTook(slowest.operation, slowest.total, slowest.waits[most], doing);
}

function stepTook(operation, total, part, doing) {
  const [whole, share] = [duration(total), duration(part)];
  return whole === share ? say("longestStep", operation, whole, doing) : say("longestStepPart", operation, whole, share, doing);
}

// The events from the enqueue to the finish: [time, duration, sentence].
function eventsOf(index, holders) {
  const { enqueued, start, end } = operations;
  if (!has(index, flag.enqueued)) return [];
  if (isTask(index)) return eventsOfTask(index);
  const queue = operations.queue[index];
  const place = queue < 0 ? [] : ofQueue("toQueue", "toNamelessQueue", queue);
  const events = [[enqueued[index], 0, say("added", place, parentText(index))]];
  let cursor = enqueued[index];
  const add = (part, sentence) => {
    const time = operations[part][index];
    if (time > 0) events.push([cursor, time, sentence]);
    cursor += time;
  };
  add("dependency", dependencyText(index));
  add("suspended", say("suspended"));
  add("slot", slotText(index, holders));
  add("dispatch", say(has(index, flag.started) ? "waitedForThread" : "waitsForStart"));
  if (has(index, flag.started)) {
    const earliest = start[index] - operations.startLatitude[index];
    if (earliest > cursor) events.push([cursor, earliest - cursor, say("waitedForUnknown")]);
    const thread = operations.thread[index];
    const where = thread < 0 ? [] : say("onThread", `${source.threads[thread]}`);
    const text = partsText(index);
    events.push([start[index], end[index] - start[index], text ? say("executedParts", where, text) : say("executed", where)]);
    const noticeable = Math.max(1e6, Math.floor((end[index] - start[index]) / 100));
    const began = enqueued[index] + operations.bodyBegan[index] - 1;
    if (operations.bodyBegan[index] > 0 && began > start[index] && began - start[index] >= noticeable) events.push([began, 0, say("bodyBegan")]);
    const returned = enqueued[index] + operations.bodyEnded[index] - 1;
    if (operations.bodyEnded[index] > 0 && returned < end[index] && end[index] - returned >= noticeable && returned - start[index] >= noticeable) {
      events.push([returned, 0, say("bodyReturned")]);
    }
  }
  if (operations.cancelled[index] > 0) events.push([enqueued[index] + operations.cancelled[index] - 1, 0, say("wasCancelled")]);
  for (const mark of source.marks) if (mark.operation === index) events.push([mark.time, 0, say("said", mark.text)]);
  for (const wait of waitsOf.get(index) ?? []) {
    events.push([wait.start, Math.max(0, wait.end - wait.start), say("blocked", waitTarget(wait))]);
  }
  events.push([end[index], 0, endingText(index)]);
  return events.sort((a, b) => a[0] - b[0]);
}

function parentText(index) {
  const remote = (cause) => (has(cause, flag.sharesName) ? say("causedBy", cause) : say("causedByIn", cause, processOf(cause)));
  const parent = operations.parent[index];
  if (parent >= 0) return isAcrossProcesses(parent, index) ? remote(parent) : say("byParent", parent);
  const cause = operations.remoteCause?.[index] ?? -1;
  return cause < 0 ? [] : say("causedEarlier", remote(cause));
}

function dependencyText(index) {
  const last = operations.lastDependency[index];
  if (last < 0) return say(has(index, flag.ready) ? "becameReady" : "neverReady");
  if (!has(last, flag.finished)) return say(has(last, flag.enqueued) ? "waits" : "waitsForMissing", last);
  const number = predecessorsOf(index).length;
  return number === 1 ? say("waited", last) : say("waitedForLast", last, grouped(number));
}

function slotText(index, holders) {
  const queue = queueOf.get(operations.queue[index]);
  const limit = queue?.isLimitChanged ? -1 : queue?.limit ?? -1;
  let list = [];
  holders.slice(0, 3).forEach(({ operation, time }, at) => {
    list = at === 0 ? say("holder", operation, duration(time)) : say("nextHolder", list, operation, duration(time));
  });
  if (holders.length > 3) list = say("moreHolders", list, grouped(holders.length - 3));
  const slots = limit <= 0 ? say("aSlot") : limit === 1 ? say("onlySlot") : say("oneOfSlots", grouped(limit));
  return say("waitedForSlot", slots, holders.length > 0 ? say("takenBy", list) : []);
}

function endingText(index) {
  if (!has(index, flag.finished)) return say(isTask(index) ? "taskUnfinished" : has(index, flag.started) ? "stillExecuted" : "neverStarted");
  if (operations.ending[index] === 1) return say("failed", source.names[operations.message[index]] ?? "");
  return say(operations.ending[index] === 2 ? "finishedCancelled" : "finished");
}

// A part of a step of an operation or of a task, or what was before it.
function portionOf(step, portion) {
  if (portion === "beforeEnqueue") return step.beforeEnqueue;
  if (!step.taskParts) return step.waits[portion] ?? 0;
  return step.taskParts[tasks.parts.findIndex((part) => part.portion === portion)] ?? 0;
}

// `402 ms executing, 310 ms waiting for slots`: the largest part first, without the parts under 1 %.
function composition(chain) {
  const { steps } = chain;
  if (steps.length === 0) return phrases.nothing;
  const length = steps[steps.length - 1].end - steps[0].start;
  const forMissing = chain.neverAdded < 0 ? 0 : steps[0].waits.dependency;
  const sums = Object.keys(phrases.composition).map((part) => {
    if (part === "neverAdded") return { part, time: forMissing };
    const time = steps.reduce((sum, step) => sum + portionOf(step, part), 0);
    return { part, time: part === "dependency" ? time - forMissing : time };
  });
  const shown = sums.filter(({ time }) => time > 0 && time >= Math.floor(length / 100)).sort((a, b) => b.time - a.time);
  return shown.map(({ part, time }) => `${duration(time)} ${phrases.composition[part].replace("{}", () => nameOf(chain.neverAdded))}`).join(", ") || phrases.nothing;
}

const relationOfStep = (step, isFirst) => phrases[isFirst ? "firstReasons" : "reasons"][step.reason];

function waitOfStep(step) {
  let longest = ["beforeEnqueue", step.beforeEnqueue];
  if (step.taskParts) {
    step.taskParts.forEach((time, part) => { if (part !== tasks.running && time > longest[1]) longest = [part, time]; });
    return tasks.parts[longest[0]]?.object ?? phrases.waits.beforeEnqueue;
  }
  for (const part of parts) if (part !== "execution" && step.waits[part] > longest[1]) longest = [part, step.waits[part]];
  return phrases.waits[longest[0]];
}

const delaying = {
  operations: places(source.delaying, source.delayingCount),
  times: numbers(source.delayingTimes, source.delayingCount, Float64Array),
};

// How much the operation delayed the run, without the replay that `opviz explain` runs.
function costOf(index) {
  let part = 0;
  delaying.operations.forEach((operation, step) => { if (operation === index) part += delaying.times[step]; });
  if (part === 0 && !has(index, flag.finished)) return [plain(say("unknownCost"))];
  const whole = duration(source.makespan);
  const share = source.makespan === 0 ? 0 : Math.round((part / source.makespan) * 100);
  const lines = [part === 0 ? say("offTheChain", whole) : say("onTheChain", duration(part), whole, `${share}`)];
  if (!has(index, flag.finished)) return lines.map(plain);
  if (operations.slack[index] > 0) {
    const [recorded, free] = [operations.slack[index] - 1, operations.slackThroughDependencies[index] - 1];
    if (recorded === 0) lines.push(free === 0 ? say("noSlack") : say("noSlackButThroughDependencies", duration(free)));
    else lines.push(recorded === free ? say("slack", duration(recorded)) : say("slackThroughDependencies", duration(recorded), duration(free)));
  }
  return lines.map(plain);
}
