// A range of time that was selected in the timeline, and what happened in it.

const timeRange = { from: 0, to: 0, isSet: false };

// Calls `body` with the start and the end of each stretch in which an operation executed itself: a parent counts only
// while no child exists that it waits for, as in all figures of concurrency.
function visitOwnExecution(index, body) {
  let cursor = operations.start[index];
  const end = cursor + operations.execution[index];
  const inOrder = [...children.of(index)].sort((a, b) => operations.enqueued[a] - operations.enqueued[b] || a - b);
  for (const child of inOrder) {
    if (!has(child, flag.waitedFor) || isTask(child)) continue;
    body(cursor, Math.min(operations.enqueued[child], end));
    cursor = Math.min(Math.max(cursor, operations.end[child]), end);
  }
  body(cursor, end);
}

// How many operations executed, for how long and at once, and on how many processors; and the same of tasks.
function figuresOfRange(from, to) {
  const members = new Uint8Array(count);
  const changes = [];
  let [work, onCPU, running, executed, ofTasks] = [0, 0, 0, 0, 0];
  for (let bar = 0; bar < bars.count; bar += 1) {
    const index = bars.operation[bar];
    const isRun = bar >= count;
    if (!isRun && (isTask(index) || !has(index, flag.started))) continue;
    const [start, end] = [Math.max(from, bars.start[bar]), Math.min(to, bars.end[bar])];
    if (end <= start) continue;
    if (isRun) {
      running += end - start;
      ofTasks += 1 - members[index];
      members[index] = 1;
      continue;
    }
    executed += 1;
    visitOwnExecution(index, (first, last) => {
      const [start, end] = [Math.max(from, first), Math.min(to, last)];
      if (end <= start) return;
      work += end - start;
      changes.push([start, 1], [end, -1]);
    });
    if (!executions) continue;
    if (end - start === bars.end[bar] - bars.start[bar]) {
      onCPU += executions.sums.onCPU[index];
    } else {
      visitExecution(index, Infinity, (part, first, last) => {
        if (part === 0) onCPU += Math.max(0, Math.min(last, to) - Math.max(first, from));
      });
    }
  }
  changes.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  let [now, peak] = [0, 0];
  for (const [, change] of changes) {
    now += change;
    peak = Math.max(peak, now);
  }
  return { operations: executed, tasks: ofTasks, work, onCPU, running, peak };
}

function textOfRange(from, to) {
  const figures = figuresOfRange(from, to);
  const length = to - from;
  const text = [`${duration(length)} from ${duration(from)} to ${duration(to)}: ${counted(figures.operations, "operation")}`];
  if (figures.operations > 0) {
    text.push(`work ${duration(Math.round(figures.work))}`, `${(figures.work / length).toFixed(2)} at once, peak ${grouped(figures.peak)}`);
    if (executions) text.push(`${(figures.onCPU / length).toFixed(2)} CPUs`);
  }
  if (figures.tasks > 0) text.push(`${counted(figures.tasks, "task")} running ${duration(Math.round(figures.running))}`);
  return text.join(", ");
}

// The figures are only computed once the range is chosen.
function setRange(from, to, isChosen) {
  const bounded = (time) => Math.round(Math.min(Math.max(time, timeSpan.first), timeSpan.first + timeSpan.length));
  Object.assign(timeRange, { from: bounded(Math.min(from, to)), to: bounded(Math.max(from, to)) });
  timeRange.isSet = timeRange.to > timeRange.from;
  timelineSurface.redraw();
  if (!isChosen && timeRange.isSet) return;
  showRange();
}

function clearRange() {
  timeRange.isSet = false;
  timelineSurface.redraw();
  showRange();
}

function showRange() {
  const pane = byID("range");
  pane.hidden = !timeRange.isSet;
  pane.replaceChildren();
  if (!timeRange.isSet) return;
  pane.append(
    element("span", {}, textOfRange(timeRange.from, timeRange.to)),
    element("button", { type: "button", onclick: () => timelineSurface.fitSelection() }, "zoom"),
    element("button", { type: "button", onclick: clearRange, "aria-label": "Clear the range" }, "×"));
}

function drawRange(context, surface) {
  if (!timeRange.isSet) return;
  const [left, right] = [timeRange.from, timeRange.to].map((time) => surface.toScreenX(time));
  context.fillStyle = state.colors.text;
  context.globalAlpha = 0.1;
  context.fillRect(left, 0, right - left, surface.height);
  context.globalAlpha = 0.6;
  for (const x of [left, right]) context.fillRect(Math.round(x) - 0.5, 0, 1, surface.height);
  context.globalAlpha = 1;
}
