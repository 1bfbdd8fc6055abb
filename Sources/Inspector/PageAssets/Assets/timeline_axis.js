// The time above the timeline's rows: what the timeline can show, its marks, and since when nothing happened.

const axisHeight = 26;
// When the first operations up to that number were added, and when the last one ended.
function spanOf(number) {
  let [first, last] = [Infinity, -Infinity];
  for (let index = 0; index < number; index += 1) {
    if (!has(index, flag.enqueued)) continue;
    first = Math.min(first, operations.enqueued[index]);
    last = Math.max(last, operations.end[index]);
  }
  return [first, last];
}

const timeSpan = (() => {
  const [first, last] = spanOf(count);
  return first > last ? { first: 0, length: 1 } : { first, length: Math.max(last - first, 1) };
})();

// What the timeline can show: of two runs, the time of the longer one.
const axisSpan = otherRun ? { first: otherRun.start, length: otherRun.length } : timeSpan;

// Since when nothing happened in a run that stood still: null for others.
const standstill = source.stillSince ?? null;

// Says for how long nothing happened, above the rows.
function drawStandstill(context, surface) {
  if (standstill === null) return;
  const { end } = source;
  const left = Math.max(0, surface.toScreenX(standstill));
  const right = Math.min(surface.width, surface.toScreenX(end));
  if (right <= left || end <= standstill) return;
  const { colors } = state;
  context.fillStyle = colors.fills[3];
  context.fillRect(left, axisHeight - 4, right - left, 4);
  context.font = "11px system-ui, sans-serif";
  const text = `nothing happened for ${duration(end - standstill)}`;
  const width = context.measureText(text).width;
  context.fillStyle = colors.background;
  context.fillRect(right - width - 10, 2, width + 8, axisHeight - 7);
  context.fillStyle = colors.borders[3];
  context.fillText(text, right - width - 6, axisHeight / 2 - 2);
}

// 1, 2 or 5 times a power of ten, so that marks are at least 84 pixels apart.
function tickStep(scale) {
  const least = 84 / scale;
  const power = 10 ** Math.floor(Math.log10(least));
  return Math.max(1, [1, 2, 5, 10].find((step) => step * power >= least) * power);
}

function drawAxis(context, surface) {
  const { colors } = state;
  const step = tickStep(surface.view.scaleX);
  context.font = "11px system-ui, sans-serif";
  context.textBaseline = "middle";
  context.fillStyle = colors.background;
  context.fillRect(0, 0, surface.width, axisHeight);
  for (let time = Math.ceil(surface.view.x / step) * step; time < surface.toWorldX(surface.width); time += step) {
    const x = Math.round(surface.toScreenX(time)) + 0.5;
    context.fillStyle = colors.grid;
    context.fillRect(x, axisHeight, 1, surface.height);
    context.fillStyle = colors.mutedText;
    // Labels need enough decimals to differ between neighbouring marks.
    const label = tickLabel(time, step);
    if (x + 3 + context.measureText(label).width <= surface.width) context.fillText(label, x + 3, axisHeight / 2);
  }
  context.fillStyle = colors.grid;
  context.fillRect(0, axisHeight - 1, surface.width, 1);
}

function tickLabel(time, step) {
  const [unit, size] = [["s", 1e9], ["ms", 1e6], ["µs", 1e3], ["ns", 1]].find(([, scale]) => Math.abs(time) >= scale) ?? ["ns", 1];
  const decimals = Math.max(0, Math.ceil(Math.log10(size / step) - 1e-9));
  return time === 0 ? "0" : `${(time / size).toFixed(Math.min(decimals, 6))} ${unit}`;
}
