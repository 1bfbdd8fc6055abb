// The row of each bar in the timeline.
//
// By queue: operations that execute at the same time have a lane each, and lanes are as few as possible.
// Operations that never started share a row or two below. The runs of tasks follow, in lanes by executor. Or a
// row for each operation and task, in order of addition.

// A heap of pairs of numbers, with the smallest first number on top.
class PairHeap {
  constructor() { this.keys = []; this.values = []; }

  get size() { return this.keys.length; }

  push(key, value) {
    const { keys, values } = this;
    let at = keys.length;
    while (at > 0) {
      const parent = (at - 1) >>> 1;
      if (keys[parent] <= key) break;
      keys[at] = keys[parent];
      values[at] = values[parent];
      at = parent;
    }
    keys[at] = key;
    values[at] = value;
  }

  pop() {
    const { keys, values } = this;
    const top = values[0];
    const key = keys.pop();
    const value = values.pop();
    const size = keys.length;
    if (size === 0) return top;
    let at = 0;
    for (let child = 1; child < size; child = 2 * at + 1) {
      if (child + 1 < size && keys[child + 1] < keys[child]) child += 1;
      if (keys[child] >= key) break;
      keys[at] = keys[child];
      values[at] = values[child];
      at = child;
    }
    keys[at] = key;
    values[at] = value;
    return top;
  }
}

// rows: a heading is { title }. rowOf: the row of each bar, or -1; of a task, that of its first run.
function lanesByQueue() {
  const rows = [];
  const rowOf = new Int32Array(bars.count).fill(-1);
  const last = operations.queue.reduce((most, queue) => Math.max(most, queue), -1);
  // Operations without a queue come last.
  const byQueue = grouping(last + 2, count, (index) => (
    !has(index, flag.enqueued) || isTask(index) ? -1 : operations.queue[index] < 0 ? last + 1 : operations.queue[index]));
  for (let queue = 0; queue <= last + 1; queue += 1) {
    const members = byQueue.of(queue);
    if (members.length === 0) continue;
    const limit = queueOf.get(queue)?.limit ?? -1;
    rows.push({ title: queueName(queue > last ? -1 : queue) + (limit >= 0 ? ` · limit ${grouped(limit)}` : "") });
    const started = members.filter((index) => has(index, flag.started)).sort((a, b) => operations.start[a] - operations.start[b]);
    const busy = new PairHeap();
    const free = new PairHeap();
    let lanes = 0;
    for (const index of started) {
      while (busy.size > 0 && busy.keys[0] <= operations.start[index]) {
        const lane = busy.pop();
        free.push(lane, lane);
      }
      const lane = free.size > 0 ? free.pop() : lanes++;
      busy.push(operations.end[index], lane);
      rowOf[index] = rows.length + lane;
    }
    for (let lane = 0; lane < lanes; lane += 1) rows.push({ queue });
    // First operations that still wait, then those that ended without starting, such as cancelled ones.
    for (const isOpen of [true, false]) {
      const others = members.filter((index) => !has(index, flag.started) && has(index, flag.finished) !== isOpen);
      if (others.length === 0) continue;
      for (const index of others) rowOf[index] = rows.length;
      const end = others.reduce((latest, index) => Math.max(latest, operations.end[index]), 0);
      rows.push({ isWaiting: true, isOpen, end, queue });
    }
  }
  addExecutors(rows, rowOf);
  return lanes(rows, rowOf);
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
  return { ...lanes(Array.from({ length: order.length }, () => ({})), rowOf), isByOperation: true };
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
