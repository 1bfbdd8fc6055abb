// The row of each bar in the timeline.
//
// By queue, in the lanes of PageLanes: operations that execute at the same time have one each. Operations that
// never started share a row or two below. The runs of tasks follow, in lanes by executor. Of two runs, the lanes of the
// other one are below those of the same queue or executor. Or a row for each operation and task, in order of addition.

// rows: a heading is { title }. rowOf: the row of each bar, or -1; of a task, that of its first run.
function lanesByQueue() {
  const rows = [];
  const rowOf = new Int32Array(bars.count).fill(-1);
  // The first row of each queue; operations without a queue come last.
  const firstOf = new Map();
  const others = otherRun && new OtherLanes(rows);
  for (const section of source.lanes) {
    const queue = section.queue - 1;
    const other = others?.queues.take(keyOfQueue(shownQueues, queue));
    rows.push({ title: titleOfShown(titleOfQueue(shownQueues, queue), other !== undefined) });
    firstOf.set(queue, rows.length);
    addLanes(rows, section);
    if (other) others.addQueue(other, otherRun.name);
  }
  for (const section of others?.queues.rest ?? []) others.addQueue(section, `only in ${otherRun.name}`);
  placeInLanes(rowOf, source, operations.queue, firstOf);

  const rowOfLane = [];
  for (const section of executorsOf(tasks)) {
    const other = others?.executors.take(keyOfExecutor(section));
    rows.push({ title: titleOfShown(section.title, isIn(othersTasks, section)) });
    addExecutor(rows, section, rowOfLane);
    if (other) others.addExecutor(other, otherRun.name);
  }
  for (const section of others?.executors.rest ?? []) {
    others.addExecutor(section, isIn(tasks, section) ? otherRun.name : `only in ${otherRun.name}`);
  }
  placeStays(rowOf, source, tasks, bars, rowOfLane);
  return { ...lanes(rows, rowOf), others: others?.placed() };
}

// Of two runs, a section says if only the run that is shown has it.
const titleOfShown = (title, isInOther) => (otherRun && !isInOther ? `${title} · only in ${otherRun.shownName}` : title);

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

// The executors of the tasks of a run, each with the number of its first lane.
function executorsOf(tasks) {
  let next = 0;
  return (tasks?.sections ?? []).map((section) => {
    const first = next;
    next += section.rows;
    return { ...section, first };
  });
}

// The lanes of an executor. rowOfLane: the row of each lane of the run, by its number.
function addExecutor(rows, { first, rows: number }, rowOfLane, run = {}) {
  for (let lane = first; lane < first + number; lane += 1) {
    rowOfLane[lane] = rows.length;
    rows.push({ isOfTasks: true, ...run });
  }
}

// The row of each stay of a run. A task is where its first one is.
function placeStays(rowOf, { count }, tasks, { count: length, operation }, rowOfLane) {
  for (let bar = length - 1; bar >= count; bar -= 1) {
    const row = rowOfLane[tasks.stayRows[bar - count]] ?? -1;
    rowOf[bar] = row;
    rowOf[operation[bar]] = row;
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

const lanes = (rows, rowOf) => ({ rows, rowOf, byRow: barsByRow(rows, rowOf, source, bars, operations), isByOperation: false });

// The bars of a run in each row, sorted by time: by start where they are drawn, else by when operations were added.
function barsByRow(rows, rowOf, { count }, { count: length, start }, { enqueued }) {
  const byRow = grouping(rows.length, length, (bar) => (bar < count && rows[rowOf[bar]]?.isOfTasks ? -1 : rowOf[bar]));
  rows.forEach((row, at) => {
    const key = row.isWaiting ? enqueued : start;
    byRow.of(at).sort((a, b) => key[a] - key[b] || a - b);
  });
  return byRow;
}
