// The positions in the graph. Each operation, or each kind, is a box. GraphLayers has computed the layout:
// columns, and places within them.

const graphFont = (size) => `${size}px system-ui, sans-serif`;
const graphFontSize = 12.5;
// Where few boxes fill the panel.
const mostGraphFont = 18;
const leastBoxWidth = 168;
const mostBoxWidth = 250;

// Room for the longest name of an operation with the sign of an ending, and of a kind with its number, within bounds.
function boxWidth() {
  const context = document.createElement("canvas").getContext("2d");
  context.font = graphFont(graphFontSize);
  const widest = (texts) => context.measureText(texts.reduce((longest, text) => (text.length > longest.length ? text : longest), "")).width;
  const kinds = [...source.kindTable, ...source.taskKinds].map(({ name, count: number }) => `${name}  × ${grouped(number)}`);
  const needed = Math.ceil(Math.max(widest(source.names) + 18, widest(kinds)) + 14);
  return Math.min(mostBoxWidth, Math.max(leastBoxWidth, needed));
}

const box = { width: boxWidth(), height: 26, stepY: 36 };
box.stepX = box.width + 64;

function graphModel(length, columns, placesDown) {
  const x = new Float64Array(length);
  const y = new Float64Array(length);
  let [right, top, bottom, width] = [0, Infinity, -Infinity, 1];
  for (let index = 0; index < length; index += 1) {
    x[index] = columns[index] * box.stepX;
    y[index] = (placesDown[index] / source.graph.unit) * box.stepY;
    width = Math.max(width, columns[index] + 1);
    right = Math.max(right, x[index] + box.width);
    top = Math.min(top, y[index]);
    bottom = Math.max(bottom, y[index] + box.height);
  }
  // In each column, from top to bottom.
  const byColumn = grouping(width, length, (index) => columns[index]);
  for (let column = 0; column < width; column += 1) byColumn.of(column).sort((a, b) => y[a] - y[b]);
  const margin = 24;
  const bounds = length === 0 ? { x: 0, y: 0, width: 1, height: 1 }
    : { x: -margin, y: top - margin, width: right + 2 * margin, height: bottom - top + 2 * margin };
  return { length, x, y, byColumn, width, bounds, columns };
}

const operationGraph = graphModel(
  count, numbers(source.graph.column, count, Int32Array), numbers(source.graph.place, count, Float64Array));
// Kinds of operations, then those of tasks.
const graphKinds = [...source.kindTable, ...source.taskKinds];
const kindGraph = graphModel(source.graph.byKind.column.length, source.graph.byKind.column, source.graph.byKind.place);

// Calls `visit` for each box that overlaps a rectangle of the world.
function visitBoxes(model, left, top, right, bottom, visit) {
  const first = Math.max(0, Math.ceil((left - box.width) / box.stepX));
  const last = Math.min(model.width - 1, Math.floor(right / box.stepX));
  for (let column = first; column <= last; column += 1) {
    const members = model.byColumn.of(column);
    for (let at = partition(members, (member) => model.y[member] + box.height < top); at < members.length; at += 1) {
      if (model.y[members[at]] > bottom) break;
      visit(members[at]);
    }
  }
}

function boxAt(model, x, y, reach) {
  let best = -1;
  let nearest = Infinity;
  visitBoxes(model, x - reach, y - reach, x + reach, y + reach, (index) => {
    const awayX = Math.max(model.x[index] - x, 0, x - model.x[index] - box.width);
    const awayY = Math.max(model.y[index] - y, 0, y - model.y[index] - box.height);
    const distance = awayX + awayY;
    if (distance < nearest) [best, nearest] = [index, distance];
  });
  return nearest <= reach * 2 ? best : -1;
}
