// Draws the graph: boxes with names when zoomed in, boxes when zoomed out, pixels for very many operations.

// If more edges than this are visible, only those of the selection and of the critical path are drawn.
const mostEdges = 3000;
// More arrows of one operation would hide the picture.
const mostWakes = 200;
const graph = { mode: "operation", model: operationGraph, isReduced: false, kind: -1 };

function fitText(context, text, width) {
  if (context.measureText(text).width <= width) return text;
  let [low, high] = [0, text.length];
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if (context.measureText(`${text.slice(0, middle)}…`).width <= width) low = middle;
    else high = middle - 1;
  }
  return low === 0 ? "" : `${text.slice(0, low)}…`;
}

function strokeEdges(context, surface, pairs, { color, width, dash = [] }) {
  if (pairs.length === 0) return;
  const { model } = graph;
  context.strokeStyle = color;
  context.lineWidth = width;
  context.setLineDash(dash);
  context.beginPath();
  const isFar = surface.view.scaleX < 0.1;
  for (let at = 0; at < pairs.length; at += 2) {
    const x1 = surface.toScreenX(model.x[pairs[at]] + box.width);
    const y1 = surface.toScreenY(model.y[pairs[at]] + box.height / 2);
    const x2 = surface.toScreenX(model.x[pairs[at + 1]]);
    const y2 = surface.toScreenY(model.y[pairs[at + 1]] + box.height / 2);
    if (Math.max(x1, x2) < 0 || Math.min(x1, x2) > surface.width || Math.max(y1, y2) < 0 || Math.min(y1, y2) > surface.height) continue;
    context.moveTo(x1, y1);
    if (isFar) {
      // A shorter edge would be hidden by the pixels of its boxes.
      if (Math.abs(x2 - x1) + Math.abs(y2 - y1) > 3) context.lineTo(x2, y2);
      continue;
    }
    const [out, drop] = [20 * surface.view.scaleX, box.stepY * surface.view.scaleX];
    if (x2 > x1) {
      const bend = Math.max((x2 - x1) / 2, 12 * surface.view.scaleX);
      context.bezierCurveTo(x1 + bend, y1, x2 - bend, y2, x2, y2);
    } else if (Math.abs(y2 - y1) > 2 * drop) {
      context.bezierCurveTo(x1 + 2 * out, y1, x2 - 2 * out, y2, x2, y2);
    } else {
      // Back along the same row: below the boxes, and within the margin of the picture.
      context.bezierCurveTo(x1 + out, y1, x1 + out, y1 + drop, x1, y1 + drop);
      context.lineTo(x2, y1 + drop);
      context.bezierCurveTo(x2 - out, y1 + drop, x2 - out, y2, x2, y2);
    }
    // A small arrowhead, if there is room for it.
    if (surface.view.scaleX > 0.3) {
      const head = 5 * Math.min(1, surface.view.scaleX * 1.4);
      context.moveTo(x2 - head * 1.4, y2 - head * 0.7);
      context.lineTo(x2, y2);
      context.lineTo(x2 - head * 1.4, y2 + head * 0.7);
    }
  }
  context.stroke();
  context.setLineDash([]);
}

function drawOperationEdges(context, surface, visible) {
  const plainEdges = [];
  const lastEdges = [];
  const spawns = [];
  let isReduced = visible.length > 3000;
  for (let at = 0; at < visible.length && !isReduced; at += 1) {
    const index = visible[at];
    for (let edge = edges.first[index]; edge < edges.first[index + 1]; edge += 1) {
      const isLast = operations.lastDependency[index] === edges.from[edge];
      (isLast ? lastEdges : plainEdges).push(edges.from[edge], index);
    }
    for (const edge of edges.outgoing.of(index)) {
      // If the other end is visible too, the edge is drawn from there.
      const to = edges.to[edge];
      if (!isInSight(surface, to)) (operations.lastDependency[to] === index ? lastEdges : plainEdges).push(index, to);
    }
    if (operations.parent[index] >= 0) spawns.push(operations.parent[index], index);
    isReduced = plainEdges.length + lastEdges.length + spawns.length > 2 * mostEdges;
  }
  graph.isReduced = isReduced && edges.count + count > 0;
  const { colors } = state;
  const near = Math.min(1, surface.view.scaleX * 2);
  if (!isReduced) {
    strokeEdges(context, surface, spawns, { color: colors.spawn, width: near, dash: [4, 3] });
    strokeEdges(context, surface, plainEdges, { color: colors.spawn, width: near });
    strokeEdges(context, surface, lastEdges, { color: colors.edge, width: 0.4 + 1.4 * near });
  }
}

// A bow from box to box, with an arrowhead, so that those of two that wait for each other lie apart. Returns
// the middle; nothing if both ends are the same.
function drawBow(context, surface, from, to, { color, width, dash }) {
  if (from === to) return null;
  const { scaleX, scaleY } = surface.view;
  const [halfWidth, halfHeight] = [(box.width * scaleX) / 2, (box.height * scaleY) / 2];
  const center = (index) => [surface.toScreenX(graph.model.x[index]) + halfWidth, surface.toScreenY(graph.model.y[index]) + halfHeight];
  const border = ([x, y], [towardX, towardY]) => {
    const [dx, dy] = [towardX - x, towardY - y];
    const part = Math.min(halfWidth / Math.abs(dx), halfHeight / Math.abs(dy), 1);
    return [x + dx * part, y + dy * part];
  };
  const [start, end] = [center(from), center(to)];
  const [dx, dy] = [end[0] - start[0], end[1] - start[1]];
  const length = Math.hypot(dx, dy);
  const bend = 3.4 * halfHeight;
  const control = [(start[0] + end[0]) / 2 + (dy / length) * bend, (start[1] + end[1]) / 2 - (dx / length) * bend];
  const [tail, tip] = [border(start, control), border(end, control)];
  context.strokeStyle = color;
  context.lineWidth = width;
  context.setLineDash(dash);
  context.beginPath();
  context.moveTo(...tail);
  context.quadraticCurveTo(...control, ...tip);
  context.stroke();
  context.setLineDash([]);
  const angle = Math.atan2(tip[1] - control[1], tip[0] - control[0]);
  context.fillStyle = color;
  context.beginPath();
  context.moveTo(...tip);
  for (const side of [-0.4, 0.4]) context.lineTo(tip[0] - 9 * Math.cos(angle + side), tip[1] - 9 * Math.sin(angle + side));
  context.fill();
  return [(tail[0] + 2 * control[0] + tip[0]) / 4, (tail[1] + 2 * control[1] + tip[1]) / 4];
}

// What unfinished operations were still waiting for, with words.
function drawOpenWaits(context, surface) {
  const { from, to, words } = source.graph.waits;
  const { colors } = state;
  const { scaleX } = surface.view;
  context.font = `${Math.min(13, 11 * scaleX)}px system-ui, sans-serif`;
  context.textBaseline = "middle";
  from.forEach((blocker, at) => {
    const middle = drawBow(context, surface, blocker, to[at], { color: colors.blocked, width: 2, dash: [7, 4] });
    if (middle === null || scaleX < 0.5) return;
    const [x, y] = [middle[0] - context.measureText(words[at]).width / 2, middle[1]];
    context.strokeStyle = colors.background;
    context.lineWidth = 3;
    context.strokeText(words[at], x, y);
    context.fillText(words[at], x, y);
  });
}

// What ended the waits of the selected one, where one of both is a task.
function drawSelectedWakes(context, surface) {
  const { selected } = state;
  if (!tasks || selected < 0) return;
  const wakers = new Set();
  for (let at = waits.first[selected]; at < waits.first[selected + 1] && wakers.size < mostWakes; at += 1) {
    if (isTask(selected) || isTask(waits.operation[at])) wakers.add(waits.operation[at]);
  }
  for (const waker of wakers) drawBow(context, surface, waker, selected, { color: state.colors.text, width: 1.5, dash: [2, 3] });
}

function drawMarkedEdges(context, surface) {
  const { colors } = state;
  strokeEdges(context, surface, criticalPairs, { color: colors.critical, width: surface.view.scaleX < 0.1 ? 1.5 : 2.5 });
  const { selected } = state;
  if (selected < 0) return;
  const others = [];
  const last = operations.lastDependency[selected];
  for (const predecessor of predecessorsOf(selected)) if (predecessor !== last) others.push(predecessor, selected);
  // An operation may have 100,000 successors; a part of them is enough.
  for (const successor of successorsOf(selected).subarray(0, mostEdges)) others.push(selected, successor);
  strokeEdges(context, surface, others, { color: colors.text, width: 1.5 });
  if (last >= 0) strokeEdges(context, surface, [last, selected], { color: colors.text, width: 3 });
  const kin = [...children.of(selected).subarray(0, mostEdges)].flatMap((child) => [selected, child]);
  if (operations.parent[selected] >= 0) kin.push(operations.parent[selected], selected);
  strokeEdges(context, surface, kin, { color: colors.text, width: 1.5, dash: [5, 4] });
}

const criticalPath = places(source.criticalPath, source.criticalPathCount);

const criticalPairs = (() => {
  const pairs = [];
  // Tasks depend on others by what they create and wake.
  for (let at = 1; at < criticalPath.length; at += 1) {
    const [from, to] = [criticalPath[at - 1], criticalPath[at]];
    if (from >= 0 && to >= 0 && (isTask(from) || isTask(to))) pairs.push(from, to);
  }
  for (let edge = 0; edge < edges.count; edge += 1) if (edges.isCritical[edge]) pairs.push(edges.from[edge], edges.to[edge]);
  return pairs;
})();

function isInSight(surface, index) {
  const x = surface.toScreenX(graph.model.x[index]);
  const y = surface.toScreenY(graph.model.y[index]);
  return x < surface.width && y < surface.height && x + box.width * surface.view.scaleX > 0
    && y + box.height * surface.view.scaleY > 0;
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
  context.font = `${Math.min(15, 12.5 * scale)}px system-ui, sans-serif`;
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
    const time = duration(operations.execution[index]);
    const room = width - 14 * scale;
    const timeWidth = context.measureText(time).width;
    const sign = endingSigns[ending] ? `${endingSigns[ending]} ` : "";
    context.fillText(fitText(context, sign + plainName(index), room - timeWidth - 8 * scale), x + 7 * scale, y + height / 2);
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
    strokeEdges(context, surface, [from, byKind.to[at]], { color: colors.edge, width });
  });
  const scale = surface.view.scaleX;
  context.font = `${Math.min(15, 12.5 * scale)}px system-ui, sans-serif`;
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
  if (graph.mode === "kind") {
    drawKinds(context, surface);
    if (graph.kind >= 0) outline(context, surface, graph.kind, false);
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
  if (!isFar) drawBoxes(context, surface, visible);
  drawOpenWaits(context, surface);
  drawSelectedWakes(context, surface);
  if (state.selected >= 0) outline(context, surface, state.selected, isFar);
  byID("graph-note").textContent = graph.isReduced
    ? "Showing highlighted edges only; zoom in to see all"
    : `${countedOf(visible)}${visible.length < count ? ` of ${grouped(count)}` : ""} visible`;
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
