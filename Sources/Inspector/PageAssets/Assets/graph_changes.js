// Of a page of two runs: marks in the graph what changed, with a sign and the difference. Where boxes are too small for
// that, a place has the sum of its operations; a kind has what the table of kinds has.

// In pixels: a place that has one sum.
const changePlace = { width: 132, height: 44 };
const [leastChangeFont, mostChangeFont] = [8, 12];
// Below it, a mark is wider than its box.
const leastScaleOfMarks = 0.56;

const changeLook = (change) => comparison.changeColors[state.isDark ? "dark" : "light"][change];
// The sign without the words.
const changeSign = (change) => comparison.changes[change].split(" ")[0];
// As TraceComparison.marked: a new operation has its time, not a difference.
function changeMark(change, difference) {
  const isWhole = change === comparison.new || change === comparison.gone;
  return `${changeSign(change)} ${isWhole && difference !== 0 ? duration(Math.abs(difference)) : signed(difference)}`.trim();
}
const isChanged = (row) => row >= 0 && otherRun.change[row] !== comparison.same;

// The row of each kind in the table of what changed by kind.
const comparedKinds = otherRun && new Map(comparison.kinds.map((kind) => [kind.name, kind]));
const comparedKindOf = (at) => comparedKinds.get(source.kinds[graphKinds[at].kind]);

// How wide a mark is, with its frame. Sets the font.
function changeWidth(context, text, size) {
  context.font = graphFont(size);
  return context.measureText(text).width + size * 0.8;
}

// Writes the mark with its right end at x, and its middle at y. Notes it for tests.
function writeChange(context, text, change, x, y, size) {
  const [width, height] = [changeWidth(context, text, size), size * 1.35];
  context.beginPath();
  context.roundRect(x - width, y - height / 2, width, height, size * 0.35);
  context.fillStyle = state.colors.background;
  context.fill();
  context.strokeStyle = changeLook(change);
  context.lineWidth = 1;
  context.stroke();
  context.fillStyle = changeLook(change);
  context.fillText(text, x - width + size * 0.4, y);
  graph.drawnChanges.push(text);
}

const changeFont = (scale) => clamped(10 * scale, [leastChangeFont, mostChangeFont]);

// In the gap above a box, so that its text stays free.
const aboveBox = 4;

// At the upper right corner of each box.
function drawChanges(context, surface, visible) {
  const { scaleX: scale } = surface.view;
  if (scale < leastScaleOfMarks) {
    drawSummedChanges(context, surface, visible);
    return;
  }
  context.textBaseline = "middle";
  for (const index of visible) {
    const row = otherRun.rowOf[index];
    if (!isChanged(row)) continue;
    const [change, x, y] = [otherRun.change[row], surface.toScreenX(graph.model.x[index] + box.width), surface.toScreenY(graph.model.y[index])];
    context.globalAlpha = isPale(index) ? paleness : 1;
    writeChange(context, changeMark(change, otherRun.difference[row]), change, x + 3 * scale, y - aboveBox * scale, changeFont(scale));
  }
  context.globalAlpha = 1;
}

// What one place of the picture has of changes: their sum, and where the largest of them is.
function placesOfChanges(surface, visible) {
  const [width, height] = [changePlace.width / surface.view.scaleX, changePlace.height / surface.view.scaleY];
  const found = new Map();
  for (const index of visible) {
    const row = otherRun.rowOf[index];
    if (!isChanged(row) || isPale(index)) continue;
    const [left, top] = [Math.floor((graph.model.x[index] + box.width / 2) / width), Math.floor((graph.model.y[index] + box.height / 2) / height)];
    const key = `${left} ${top}`;
    const difference = otherRun.difference[row];
    const place = found.get(key);
    if (!place) {
      found.set(key, { left: left * changePlace.width, top: top * changePlace.height, sum: difference, largest: index, number: 1 });
      continue;
    }
    if (Math.abs(difference) > Math.abs(otherRun.difference[otherRun.rowOf[place.largest]])) place.largest = index;
    place.sum += difference;
    place.number += 1;
  }
  return found.values();
}

function drawSummedChanges(context, surface, visible) {
  const size = 10;
  context.textBaseline = "middle";
  for (const { left, top, sum: total, largest, number } of placesOfChanges(surface, visible)) {
    const change = number === 1 || total === 0 ? otherRun.change[otherRun.rowOf[largest]] : total > 0 ? comparison.slower : comparison.faster;
    const text = `${changeMark(change, total)}${number > 1 ? ` · ${grouped(number)}` : ""}`;
    // Within its place, so that no two overlap.
    const [startX, startY] = [left - surface.view.x * surface.view.scaleX, top - surface.view.y * surface.view.scaleY];
    const width = changeWidth(context, text, size);
    const x = clamped(surface.toScreenX(graph.model.x[largest] + box.width), [startX + width + 1, Math.max(startX + width + 1, startX + changePlace.width - 1)]);
    const y = clamped(surface.toScreenY(graph.model.y[largest]), [startY + size, startY + changePlace.height - size]);
    writeChange(context, text, change, x, y, size);
  }
}

function drawKindChanges(context, surface) {
  context.textBaseline = "middle";
  const scale = surface.view.scaleX;
  for (let at = 0; at < kindGraph.length; at += 1) {
    const kind = comparedKindOf(at);
    const change = comparison.changes.indexOf(kind?.change);
    if (change < 0 || change === comparison.same) continue;
    context.globalAlpha = search.isMatch === null || search.kinds.has(graphKinds[at].kind) ? 1 : paleness;
    const difference = executedDifference(kind);
    // The waits of a kind may have changed the other way.
    const text = `${changeMark(change, difference)}${difference === 0 ? "" : " executed"}`;
    writeChange(context, text, change, surface.toScreenX(kindGraph.x[at] + box.width) + 3 * scale, surface.toScreenY(kindGraph.y[at]) - aboveBox * scale, changeFont(scale));
  }
  context.globalAlpha = 1;
}

// Of a mean of the operations of a kind; nothing where both runs cannot be compared.
const executedDifference = (kind) => (kind.isComparable ? kind.executedAfter - kind.executedBefore : 0);

// What became of the operations of a kind, in one line.
function comparedKindText(at) {
  const kind = comparedKindOf(at);
  if (!kind) return "";
  const difference = signed(executedDifference(kind));
  const times = [kind.executedBefore, kind.executedAfter].map((time) => (time === 0 ? "–" : duration(time))).join(" → ");
  return `${kind.change}${kind.isComparable ? `: mean execution ${times}${difference === "" ? "" : ` (${difference})`}` : ""}`;
}
