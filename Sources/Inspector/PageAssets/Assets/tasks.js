// Swift tasks, which follow the operations: the stretches of their lifetimes, what happened in each, and in
// which lanes they ran.

// The columns of the tasks of a run that say when and where they ran; undefined without tasks.
function tasksOf(run) {
  if (!run.tasks) return undefined;
  const { first, parts: described, stretches, runs, stays, sections } = run.tasks;
  const length = run.count - first;
  const column = (name, size, Kind) => numbers(run.tasks[name], size, Kind);
  return {
    first, parts: described, running: described.findIndex(({ key }) => key === "task-running"), sections,
    firstStretch: starts(column("counts", length, Int32Array)),
    stretchParts: column("stretchParts", stretches, Uint8Array), lengths: column("lengths", stretches, Float64Array),
    firstStay: starts(column("stayCounts", runs, Int32Array)), areCritical: column("areCritical", runs, Uint8Array),
    stayOffsets: column("stayOffsets", stays, Float64Array), stayRows: column("stayRows", stays, Int32Array),
  };
}

const tasks = source.tasks && {
  ...tasksOf(source),
  sums: source.tasks.parts.map(({ key }) => numbers(source.tasks[key], count - source.tasks.first, Float64Array)),
  stayExecutors: numbers(source.tasks.stayExecutors, source.tasks.stays, Int32Array),
  phrase: told(source.tasks.phrases).tell,
};

const isTask = (index) => tasks !== undefined && index >= tasks.first;

const noTaskParts = () => new Float64Array(tasks.parts.length);

// The position of the largest part, the first of several.
const longestTaskPart = (times) => times.reduce((longest, time, part) => (time > times[longest] ? part : longest), 0);

const partsOfTask = (index) => tasks.sums.map((times) => times[index - tasks.first]);

// Calls `body` with the part, the start, the end and the number of each stretch of a task of a run, in the order of time.
function visitStretches(index, body, { first, firstStretch, stretchParts, lengths } = tasks, { enqueued } = operations) {
  let time = enqueued[index];
  for (let at = firstStretch[index - first]; at < firstStretch[index - first + 1]; at += 1) {
    const end = time + lengths[at];
    body(stretchParts[at], time, end, at);
    time = end;
  }
}

// The parts of a lifetime between two moments. What lies outside of the lifetime is unknown.
function taskPartsBetween(index, from, to) {
  const times = noTaskParts();
  let rest = to - from;
  visitStretches(index, (part, start, end) => {
    const time = Math.min(end, to) - Math.max(start, from);
    if (time <= 0) return;
    times[part] += time;
    rest -= time;
  });
  times[times.length - 1] += rest;
  return times;
}

const phraseOfTask = (index, number) => {
  const task = index - tasks.first;
  return tasks.phrase(2 * task + tasks.firstStretch[task] + number, index);
};
const answerOfTask = (index) => phraseOfTask(index, 0);

// The creation and the stretches of the lifetime: [time, duration, sentence].
function eventsOfTask(index) {
  const events = [[operations.enqueued[index], 0, phraseOfTask(index, 1)]];
  const first = tasks.firstStretch[index - tasks.first];
  visitStretches(index, (part, start, end, at) => events.push([start, end - start, phraseOfTask(index, 2 + at - first)]));
  return events;
}

// What of a run has a place in the timeline: each operation, and after them each stay of a run on an executor. The bar
// of a task is its whole lifetime.
function barsOfRun({ count }, tasks, times) {
  const length = count + (tasks?.stayRows.length ?? 0);
  const made = { count: length, operation: new Int32Array(length), start: new Float64Array(length), end: new Float64Array(length), isCritical: new Uint8Array(length) };
  made.start.set(times.start);
  made.end.set(times.end);
  for (let index = 0; index < count; index += 1) {
    made.operation[index] = index;
    made.isCritical[index] = (times.flags[index] & flag.critical) !== 0 ? 1 : 0;
  }
  if (!tasks) return made;
  let run = 0;
  for (let index = tasks.first; index < count; index += 1) {
    made.start[index] = times.enqueued[index];
    visitStretches(index, (part, from, to) => {
      if (part !== tasks.running) return;
      const [first, next] = [tasks.firstStay[run], tasks.firstStay[run + 1]];
      for (let stay = first; stay < next; stay += 1) {
        made.operation[count + stay] = index;
        made.start[count + stay] = Math.min(to, from + tasks.stayOffsets[stay]);
        made.end[count + stay] = stay + 1 < next ? Math.min(to, from + tasks.stayOffsets[stay + 1]) : to;
        made.isCritical[count + stay] = tasks.areCritical[run];
      }
      run += 1;
    }, tasks, times);
  }
  return made;
}
const bars = barsOfRun(source, tasks, operations);

// The stays of each task among the bars of a run, in the order of time.
const staysByTask = ({ count }, { count: length, operation }) => grouping(count, length, (bar) => (bar < count ? -1 : operation[bar]));

// A strip of the parts, each as wide as its share.
function drawTaskShares(context, index, x, y, width, height) {
  const times = partsOfTask(index);
  const total = sum(times);
  drawShares(times.entries(), total, x, width, (part, left, share) => {
    context.fillStyle = state.colors.taskParts[part];
    context.fillRect(left, y, share, height);
  });
}

// A lifetime from left to right: runs in full height, waits as a thin bar.
function drawTaskStretches(context, surface, index, y, height) {
  visitStretches(index, (part, from, to) => {
    const x1 = Math.max(0, surface.toScreenX(from));
    const x2 = Math.min(surface.width, surface.toScreenX(to));
    if (x2 <= x1 && (x2 < 0 || x1 > surface.width)) return;
    const isRun = part === tasks.running;
    context.fillStyle = isRun ? fillOf(index) : state.colors.taskParts[part];
    context.fillRect(x1, isRun ? y : y + height * 0.3, Math.max(isRun ? 1 : 0.5, x2 - x1), isRun ? height : Math.max(1, height * 0.4));
  });
}
