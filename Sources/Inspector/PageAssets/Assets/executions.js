// The parts of executions, if the trace says when threads were on processors: how long each was, and when.

const executionParts = Object.keys(source.executions?.labels ?? {});

const executions = source.executions && (() => {
  const { labels, patterns, areEstimated, width, stretches, ...columns } = source.executions;
  const sums = { onCPU: operations.execution.slice() };
  for (const part of executionParts.slice(1)) {
    sums[part] = numbers(columns[part], count, Float64Array);
    sums[part].forEach((time, index) => { sums.onCPU[index] -= time; });
  }
  const first = starts(numbers(columns.counts, count, Int32Array));
  return {
    labels, patterns, areEstimated, width, sums, first, isEstimate: numbers(columns.isEstimate, count, Uint8Array),
    parts: numbers(columns.parts, stretches, Uint8Array), lengths: numbers(columns.lengths, stretches, Int32Array),
  };
})();

// The parts of an execution that occur: [part, nanoseconds].
const partsOf = (index) => (executions && has(index, flag.started)
  ? executionParts.map((part) => [part, executions.sums[part][index]]).filter(([, time]) => time > 0) : []);

const isEstimated = (index, part) => executions.isEstimate[index] === 1 && executions.areEstimated.includes(part);

// Calls `body` with the number of a part, its start and its end, in the order of time. With room for fewer
// stretches than there are, one for each part.
function visitExecution(index, room, body) {
  const { first, lengths, parts: kinds, width } = executions;
  const end = operations.start[index] + operations.execution[index];
  let time = operations.start[index];
  const number = first[index + 1] - first[index];
  if (number === 0 || number > room) {
    executionParts.forEach((part, at) => {
      const length = executions.sums[part][index];
      if (length > 0) body(at, time, time + length);
      time += length;
    });
    return;
  }
  for (let at = first[index]; at < first[index + 1]; at += 1) {
    const next = Math.min(end, time + lengths[at] * width);
    body(kinds[at], time, next);
    time = next;
  }
}

// Lines of a colour: of a wait for a processor, unless another is given.
const hatches = new Map();
function hatch(context, color = state.colors.executionHatch) {
  if (!hatches.has(color)) {
    const tile = document.createElement("canvas");
    [tile.width, tile.height] = [4, 4];
    const lines = tile.getContext("2d");
    lines.strokeStyle = color;
    lines.lineWidth = 1.2;
    lines.beginPath();
    for (const x of [-4, 0, 4]) {
      lines.moveTo(x - 1, 5);
      lines.lineTo(x + 5, -1);
    }
    lines.stroke();
    hatches.set(color, tile);
  }
  return context.createPattern(hatches.get(color), "repeat");
}

function fillPart(context, part, x, y, width, height) {
  context.fillStyle = state.colors.executionParts[part];
  context.fillRect(x, y, width, height);
  if (executions.patterns[part] !== "hatched") return;
  context.fillStyle = hatch(context);
  context.fillRect(x, y, width, height);
}

// A strip below the name of a bar. Its outline shows where no thread was in the execution.
function drawExecutionParts(context, surface, index, x1, x2, y, height) {
  if (!executions || x2 - x1 < 3) return;
  visitExecution(index, x2 - x1, (part, from, to) => {
    const left = Math.max(x1, surface.toScreenX(from));
    const right = Math.min(x2, surface.toScreenX(to));
    if (right > left) fillPart(context, part, left, y, right - left, height);
  });
  context.strokeStyle = state.colors.executionHatch;
  context.lineWidth = 1;
  context.strokeRect(x1 + 0.5, y + 0.5, x2 - x1 - 1, height - 1);
}

// The parts side by side, each as wide as its share.
function drawShares(shares, total, x, width, fill) {
  let left = x;
  for (const [part, time] of shares) {
    const share = (time / total) * width;
    fill(part, left, share);
    left += share;
  }
}

function drawPartShares(context, index, x, y, width, height) {
  drawShares(partsOf(index), operations.execution[index], x, width, (part, left, share) => {
    fillPart(context, executionParts.indexOf(part), left, y, share, height);
  });
}
