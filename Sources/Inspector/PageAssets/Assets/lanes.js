// The row of each bar in the timeline.
//
// By queue, in the lanes of PageLanes: operations that execute at the same time have one each. Operations that
// never started share a row or two below. Of two runs, the lanes of the other one follow. The runs of tasks follow, in lanes by executor. Or a
// row for each operation and task, in order of addition.

// rows: a heading is { title }. rowOf: the row of each bar, or -1; of a task, that of its first run.
function lanesByQueue() {
  const rows = [];
  const rowOf = new Int32Array(bars.count).fill(-1);
  // The first row of each queue; operations without a queue come last.
  const firstOf = new Map();
  const others = otherRun && new OtherLanes(rows);
  for (const section of source.lanes) {
    const queue = section.queue - 1;
    rows.push({ title: titleOfQueue(shownQueues, queue) + (others && !others.has(queue) ? ` · only in ${otherRun.shownName}` : "") });
    firstOf.set(queue, rows.length);
    addLanes(rows, section);
    others?.addBelow(queue);
  }
  others?.addRest();
  placeInLanes(rowOf, source, operations.queue, firstOf);
  addExecutors(rows, rowOf);
  return { ...lanes(rows, rowOf), others: others?.placed(rows.length) };
}

function titleOfQueue({ described, name }, queue) {
  const limit = described.get(queue)?.limit ?? -1;
  return name(queue) + (limit >= 0 ? ` · limit ${grouped(limit)}` : "");
}

// The lanes of a queue and, below them, the rows of what never started. run: what the rows say of their run.
function addLanes(rows, { queue: place, lanes: number, waiting }, run = {}) {
  const queue = place - 1;
  for (let lane = 0; lane < number; lane += 1) rows.push({ queue, ...run });
  for (const { isOpen, end } of waiting) rows.push({ isWaiting: true, isOpen: isOpen === 1, end, queue, ...run });
}

// The row of each operation of a run that has a lane.
function placeInLanes(rowOf, run, queueOfOperation, firstOf) {
  const rowInQueue = places(run.laneRows, run.count);
  for (let index = 0; index < run.count; index += 1) {
    if (rowInQueue[index] >= 0) rowOf[index] = firstOf.get(queueOfOperation[index]) + rowInQueue[index];
  }
}

function addExecutors(rows, rowOf) {
  const rowOfLane = [];
  for (const { title, rows: number } of source.tasks?.sections ?? []) {
    rows.push({ title });
    for (let lane = 0; lane < number; lane += 1) {
      rowOfLane.push(rows.length);
      rows.push({ isOfTasks: true });
    }
  }
  for (let bar = bars.count - 1; bar >= count; bar -= 1) {
    const row = rowOfLane[tasks.stayRows[bar - count]] ?? -1;
    rowOf[bar] = row;
    rowOf[bars.operation[bar]] = row;
  }
}

function lanesByOperation() {
  const order = operations.enqueued.map((_, index) => index).filter((index) => has(index, flag.enqueued))
    .sort((a, b) => operations.enqueued[a] - operations.enqueued[b] || a - b);
  const rowOf = new Int32Array(bars.count).fill(-1);
  order.forEach((index, row) => { rowOf[index] = row; });
  const rows = Array.from({ length: order.length }, () => ({}));
  // What only the other run has follows.
  const missing = otherRun ? otherRun.otherOf.filter((other, row) => other >= 0 && otherRun.ownOf[row] === -1) : [];
  if (missing.length > 0) rows.push({ title: `only in ${otherRun.name}` });
  const { enqueued } = otherRun?.lifetimes ?? {};
  for (const other of missing.sort((a, b) => enqueued[a] - enqueued[b] || a - b)) rows.push({ other });
  return { ...lanes(rows, rowOf), isByOperation: true };
}

// Sorts the bars of each row by time: by start where they are drawn, else by when operations were added.
function lanes(rows, rowOf) {
  const byRow = grouping(rows.length, bars.count, (bar) => (bar < count && rows[rowOf[bar]]?.isOfTasks ? -1 : rowOf[bar]));
  rows.forEach((row, at) => {
    const key = row.isWaiting ? operations.enqueued : bars.start;
    byRow.of(at).sort((a, b) => key[a] - key[b] || a - b);
  });
  return { rows, rowOf, byRow, isByOperation: false };
}
