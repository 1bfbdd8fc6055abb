// Draws the graph: boxes with names when zoomed in, boxes when zoomed out, pixels for very many operations.

const graph = { mode: "operation", model: operationGraph, isReduced: false, kind: -1, drawnEdges: [], drawnChanges: [], omittedOfCircles: 0 };

// A text that is cut shorter says nothing.
const leastLetters = 6;

// Cut in its middle: names often differ at their ends, as "upload photo 4" does from "upload photo 5".
function fitText(context, text, width) {
  if (context.measureText(text).width <= width) return text;
  const letters = [...text];
  const cut = (kept) => `${letters.slice(0, Math.ceil(kept / 2)).join("")}…${letters.slice(letters.length - Math.floor(kept / 2)).join("")}`;
  let [low, high] = [0, letters.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if (context.measureText(cut(middle)).width <= width) low = middle;
    else high = middle - 1;
  }
  return low < leastLetters ? "" : cut(low);
}

// Operations that must stay visible among many others are painted last.
const urgency = Uint8Array.from(operations.ending, (ending, index) => (
  ending === 1 || ending === 3 ? 2 : has(index, flag.critical) ? 1 : 0));

// Reused as long as the size of the canvas stays the same.
let keptImage = null;
function pixelImage(context, canvas) {
  if (keptImage?.width !== canvas.width || keptImage.height !== canvas.height) {
    keptImage = context.createImageData(canvas.width, canvas.height);
  }
  return keptImage;
}

// What a search leaves out is drawn with this opacity.
const paleness = 0.18;
const isPale = (index) => search.isMatch !== null && search.isMatch[index] === 0;

function drawPixels(context, surface, visible) {
  const { ratio, view, canvas } = surface;
  const { x, y } = graph.model;
  const image = pixelImage(context, canvas);
  const pixels = new Uint32Array(image.data.buffer);
  const packed = (color) => {
    const number = parseInt(color.slice(1), 16);
    return (0xff000000 | ((number & 255) << 16) | (number & 0xff00) | (number >> 16)) >>> 0;
  };
  const colorOf = state.colors.borders.map(packed);
  const colorOfKind = state.colors.groups.map(packed);
  const critical = packed(state.colors.critical);
  const width = Math.max(1, Math.round(box.width * view.scaleX * ratio));
  const height = Math.max(1, Math.round(box.height * view.scaleY * ratio));
  pixels.fill(packed(state.colors.background));
  const pale = packed(state.colors.grid);
  // First what a search leaves out.
  for (let pass = -1; pass < 3; pass += 1) {
    for (const index of visible) {
      if ((isPale(index) ? -1 : urgency[index]) !== pass) continue;
      const color = pass < 0 ? pale : pass === 1 ? critical
        : operations.ending[index] === 0 ? colorOfKind[source.kindColors[operations.kind[index]]] : colorOf[operations.ending[index]];
      const left = Math.round((x[index] - view.x) * view.scaleX * ratio);
      const top = Math.round((y[index] - view.y) * view.scaleY * ratio);
      const [from, to] = [Math.max(0, left), Math.min(canvas.width, left + width)];
      if (to <= from) continue;
      const bottom = Math.min(canvas.height, top + height);
      for (let line = Math.max(0, top); line < bottom; line += 1) {
        for (let at = line * canvas.width + from; at < line * canvas.width + to; at += 1) pixels[at] = color;
      }
    }
  }
  context.putImageData(image, 0, 0);
}

function drawBoxes(context, surface, visible) {
  const { colors } = state;
  const { scaleX: scale } = surface.view;
  const [width, height] = [box.width * scale, box.height * scale];
  const hasText = height >= 9;
  context.font = graphFont(Math.min(mostGraphFont, graphFontSize * scale));
  context.textBaseline = "middle";
  for (const index of visible) {
    const x = surface.toScreenX(graph.model.x[index]);
    const y = surface.toScreenY(graph.model.y[index]);
    context.globalAlpha = isPale(index) ? paleness : 1;
    const isCritical = has(index, flag.critical);
    const ending = operations.ending[index];
    context.fillStyle = fillOf(index);
    context.strokeStyle = isCritical ? colors.critical : ending === 0 ? colors.border : colors.borders[ending];
    context.lineWidth = isCritical ? Math.min(2.5, 1 + scale * 1.5) : 1;
    context.beginPath();
    if (hasText) context.roundRect(x, y, width, height, isTask(index) ? height / 2 : 4 * scale);
    else context.rect(x, y, width, height);
    context.fill();
    context.stroke();
    if (!hasText) continue;
    if (isTask(index)) drawTaskShares(context, index, x + height / 2, y + height - 4 * scale, width - height, 2.5 * scale);
    else drawPartShares(context, index, x + 4 * scale, y + height - 4 * scale, width - 8 * scale, 2.5 * scale);
    context.fillStyle = colors.text;
    const time = has(index, flag.started) || operations.execution[index] > 0 ? duration(operations.execution[index]) : "";
    const room = width - 14 * scale;
    const timeWidth = context.measureText(time).width;
    const sign = endingSigns[ending] ? `${endingSigns[ending]} ` : "";
    const name = sign + plainName(index);
    const hasTime = context.measureText(name).width + timeWidth + 8 * scale <= room;
    context.fillText(fitText(context, name, room), x + 7 * scale, y + height / 2);
    // The name is worth more than the time, which the tooltip has, too.
    if (!hasTime) continue;
    context.fillStyle = colors.mutedText;
    context.fillText(time, x + width - 7 * scale - timeWidth, y + height / 2);
  }
  context.globalAlpha = 1;
}

function drawKinds(context, surface) {
  const { colors } = state;
  const { byKind } = source.graph;
  const most = byKind.count.reduce((largest, number) => Math.max(largest, number), 1);
  byKind.from.forEach((from, at) => {
    if (from === byKind.to[at]) return;
    const width = (0.6 + 2.4 * (Math.log1p(byKind.count[at]) / Math.log1p(most))) * Math.min(1, surface.view.scaleX * 1.2);
    strokeEdges(context, surface, [from, byKind.to[at]], lookOf("ofKinds", width));
  });
  const scale = surface.view.scaleX;
  context.font = graphFont(Math.min(mostGraphFont, graphFontSize * scale));
  context.textBaseline = "middle";
  for (let index = 0; index < kindGraph.length; index += 1) {
    const x = surface.toScreenX(kindGraph.x[index]);
    const y = surface.toScreenY(kindGraph.y[index]);
    const row = graphKinds[index];
    context.globalAlpha = search.isMatch === null || search.kinds.has(row.kind) ? 1 : paleness;
    context.fillStyle = kindFill(row.kind);
    context.strokeStyle = row.failed + row.unfinished > 0 ? colors.borders[row.failed > 0 ? 1 : 3] : colors.border;
    context.lineWidth = 1;
    context.beginPath();
    context.roundRect(x, y, box.width * scale, box.height * scale, (index < source.kindTable.length ? 4 : box.height / 2) * scale);
    context.fill();
    context.stroke();
    context.fillStyle = colors.text;
    const number = `× ${grouped(row.count)}`;
    const room = context.measureText(number).width;
    context.fillText(fitText(context, row.name, (box.width - 20) * scale - room), x + 7 * scale, y + (box.height * scale) / 2);
    context.fillText(number, x + (box.width - 7) * scale - room, y + (box.height * scale) / 2);
  }
  context.globalAlpha = 1;
}

function drawGraph(context, surface) {
  const { view } = surface;
  graph.drawnEdges = [];
  graph.drawnChanges = [];
  if (graph.mode === "kind") {
    drawKinds(context, surface);
    if (graph.kind >= 0) outline(context, surface, graph.kind, false);
    if (otherRun) drawKindChanges(context, surface);
    return;
  }
  const visible = [];
  visitBoxes(
    graph.model, view.x, view.y, surface.toWorldX(surface.width), surface.toWorldY(surface.height),
    (index) => visible.push(index));
  const isFar = box.height * view.scaleY < 3;
  if (isFar) drawPixels(context, surface, visible);
  context.globalAlpha = search.isMatch ? 0.35 : 1;
  drawOperationEdges(context, surface, visible);
  context.globalAlpha = 1;
  drawMarkedEdges(context, surface);
  drawCircleEdges(context, surface);
  if (!isFar) drawBoxes(context, surface, visible);
  drawOpenWaits(context, surface);
  drawSelectedWakes(context, surface);
  if (state.selected >= 0) outline(context, surface, state.selected, isFar);
  if (otherRun) drawChanges(context, surface, visible);
  byID("graph-note").textContent = [graph.isReduced
    ? "Showing highlighted edges only; zoom in to see all"
    : `${countedOf(visible)}${visible.length < count ? ` of ${grouped(count)}` : ""} visible`, ...omittedOfCircles(graph.omittedOfCircles)].join(" · ");
}

// `3 operations and 4 tasks`.
function countedOf(members) {
  const number = members.filter(isTask).length;
  const counts = [];
  if (number < members.length || number === 0) counts.push(counted(members.length - number, "operation"));
  if (number > 0) counts.push(counted(number, "task"));
  return counts.join(" and ");
}

function outline(context, surface, index, isFar) {
  const grow = isFar ? 4 : 3;
  context.strokeStyle = state.colors.text;
  context.lineWidth = 2;
  context.strokeRect(
    surface.toScreenX(graph.model.x[index]) - grow, surface.toScreenY(graph.model.y[index]) - grow,
    box.width * surface.view.scaleX + 2 * grow, box.height * surface.view.scaleY + 2 * grow);
}
