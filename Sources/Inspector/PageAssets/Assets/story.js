// Explains why an operation took so long, in the same sentences as `opviz explain`: see StoryPattern.

function longestPart(waits) {
  return parts.reduce((longest, part) => (waits[part] > waits[longest] ? part : longest), "execution");
}

const ownWaits = (index) => Object.fromEntries(parts.map((part) => [part, operations[part][index]]));

const delaying = {
  operations: places(source.delaying, source.delayingCount),
  times: numbers(source.delayingTimes, source.delayingCount, Float64Array),
};

const delayBy = (index) => delaying.times.filter((time, step) => delaying.operations[step] === index).reduce((sum, time) => sum + time, 0);

const sinceEnqueue = (column) => (index) => operations.enqueued[index] + operations[column][index] - 1;
const lengthOf = (wait) => wait.end - wait.start;
// The first of several.
const longestWait = (index) => (waitsOf.get(index) ?? []).reduce((longest, wait) => (longest && lengthOf(longest) >= lengthOf(wait) ? longest : wait), undefined);

// From the start to the body, which is limited to the execution.
function preparation(index) {
  const began = Math.min(Math.max(storyTimes.bodyBegan(index), operations.start[index]), operations.end[index]);
  return began - operations.start[index];
}

// StoryTime, in nanoseconds.
const storyTimes = {
  enqueued: (index) => operations.enqueued[index], ready: readyTime, resumed: afterParts("dependency", "suspended"),
  slotTaken: slotTakenTime, dispatched: afterParts("dependency", "suspended", "slot", "dispatch"),
  start: (index) => operations.start[index], bodyBegan: sinceEnqueue("bodyBegan"), bodyEnded: sinceEnqueue("bodyEnded"),
  cancelled: sinceEnqueue("cancelled"), end: (index) => operations.end[index], total: (index) => operations.total[index],
  executing: (index) => operations.end[index] - operations.start[index],
  lateness: (index) => operations.start[index] - operations.startLatitude[index] - storyTimes.dispatched(index),
  preparation, blocking: (index) => lengthOf(longestWait(index)),
  own: (index) => operations.own[index], covered: (index) => operations.execution[index] - operations.own[index],
  delaying: delayBy, makespan: () => source.makespan, slack: (index) => operations.slack[index] - 1,
  slackThroughDependencies: (index) => operations.slackThroughDependencies[index] - 1,
};
for (const part of parts) storyTimes[part] = (index) => operations[part][index];
for (const part of executionParts) storyTimes[part] = (index) => executions.sums[part][index];

// StoryValue: an operation, a text, or a sentence.
const storyValues = {
  itself: (index) => index, lastDependency: (index) => operations.lastDependency[index], firstDependent: (index) => successorsOf(index)[0] ?? -1,
  parent: (index) => operations.parent[index], remoteCause: (index) => operations.remoteCause[index],
  dependencies: (index) => grouped(predecessorsOf(index).length), children: (index) => grouped(children.of(index).length),
  otherDependents: (index) => grouped(Math.max(1, successorsOf(index).length - 1)), slots: (index) => grouped(stories.slots[operations.queue[index]]),
  delayingPercent: (index) => `${Math.round((delayBy(index) / Math.max(1, source.makespan)) * 100)}`,
  kind: kindName, identifier, queue: (index) => queueName(operations.queue[index]), thread: (index) => `${source.threads[operations.thread[index]]}`,
  process: (index) => processOf(operations.parent[index]), remoteProcess: (index) => processOf(operations.remoteCause[index]),
  message: (index) => source.names[operations.message[index]] ?? "",
  mark: (index) => source.marks.findLast((mark) => mark.operation === index && mark.time <= operations.start[index] + preparation(index))?.text ?? "",
  standstill: (index) => source.standstills[-operations.standstill[index] - 1], blocker: (index) => waitTarget(longestWait(index)),
  slotReason, slotHolders: slotHolderList,
  taskReason: (index) => {
    const text = answerOfTask(index);
    return text.length === 0 ? [] : say("because", text);
  },
};

const ownValue = (name, index) => (name in storyTimes ? duration(storyTimes[name](index)) : storyValues[name](index));

function slotReason(index) {
  const holders = slotHolders(index);
  const time = duration(operations.slot[index]);
  if (holders.length === 0) return say("forSlot", time);
  const [holder, held] = [holders[0].operation, duration(holders[0].time)];
  return holders.length === 1 ? say("forSlotOf", time, holder, held) : say("forSlotOfSeveral", time, grouped(holders.length), holder, held);
}

function slotHolderList(index) {
  const holders = slotHolders(index);
  if (holders.length === 0) return [];
  const list = holders.slice(0, mostShown.holders).reduce((list, { operation, time }) => (
    list ? say("nextHolder", list, operation, duration(time)) : say("holder", operation, duration(time))), undefined);
  return say("takenBy", holders.length > mostShown.holders ? say("moreHolders", list, grouped(holders.length - mostShown.holders)) : list);
}

function waitTarget(wait) {
  if (wait.target !== undefined) return wait.target;
  if (wait.queue === undefined) return say("anOperation");
  const queue = wait.queue - 1;
  return say(namedQueue(queue)?.isNameless ? "allOfNamelessQueue" : "allOfQueue", queueName(queue));
}

const answer = (index) => stories.pattern(stories.of(index).answer, index);

// What it cost the run, without the replay that `opviz explain` runs.
const costOf = (index) => stories.of(index).cost.map((pattern) => plain(stories.pattern(pattern, index)));

// The events from the enqueue to the finish: [time, duration, sentence].
function eventsOf(index) {
  const told = stories.of(index).events.map(({ at, lasting, what }) => [
    storyTimes[at](index), lasting ? storyTimes[lasting](index) : 0, stories.pattern(what, index)]);
  const said = source.marks.filter((mark) => mark.operation === index).map((mark) => [mark.time, 0, say("said", mark.text)]);
  const blocked = (waitsOf.get(index) ?? []).map((wait) => [wait.start, Math.max(0, lengthOf(wait)), say("blocked", waitTarget(wait))]);
  const before = isTask(index) ? eventsOfTask(index) : [];
  return [...before, ...told.slice(0, -1), ...said, ...blocked, ...told.slice(-1)].sort((a, b) => a[0] - b[0]);
}

// What it waits for in the end, if it has not finished; or else the step to look at, if that is not the
// operation itself.
function longestStep(index, chain) {
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
  const named = part === "dependency" ? operations.lastDependency[index] : part === "slot" ? slotHolders(index)[0]?.operation : undefined;
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
