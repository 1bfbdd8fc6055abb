// Draws the edges of the graph, and notes which ones: what is not drawn has no tooltip.

// If more edges than this are visible, only those of the selection and of the critical path are drawn.
const mostEdges = 3000;
// More arrows of one operation would hide the picture.
const mostWakes = 200;

// How each sort of edge is drawn: the name of its colour, its width, and its dashes. The legend has the same lines.
const edgeLooks = {
  dependency: { color: "spawn", width: 1 },
  lastDependency: { color: "edge", width: 1.8 },
  added: { color: "spawn", width: 1, dash: [4, 3] },
  unfinished: { color: "blocked", width: 2, dash: [7, 4] },
  circle: { color: "blocked", width: 3 },
  wake: { color: "text", width: 1.5, dash: [2, 3] },
  ofKinds: { color: "edge", width: 1.8 },
};
function lookOf(sort, width = edgeLooks[sort].width) {
  const { color, dash } = edgeLooks[sort];
  return { color: state.colors[color], width, dash };
}

// In graph and timeline.
const mostOfCircles = source.graph.circleLayout.mostArrows;

// Circles of waits: their members, and for what each of them waits.
const circles = (() => {
  const { circle, circleMembers, waits } = source.graph;
  const members = new Set(circleMembers);
  const hops = [];
  for (let at = 0; at < circle.length; at += 2) hops.push({ waiting: circle[at + 1], blocker: circle[at] });
  waits.to.forEach((waiting, at) => { if (members.has(waiting)) hops.push({ waiting, blocker: waits.from[at] }); });
  return { members, hops };
})();

// For what a member waits; nothing for others.
const circleHopsOf = (index) => (circles.members.has(index) ? circles.hops.filter(({ waiting }) => waiting === index) : []);

// What a picture says of arrows that it does not draw.
const omittedOfCircles = (number) => (number > 0 ? [`${counted(number, "more arrow")} of circles not drawn`] : []);

// Where an edge begins and ends on the screen.
function endsOf(surface, from, to) {
  const { x, y } = graph.model;
  const middle = box.height / 2;
  return [surface.toScreenX(x[from] + box.width), surface.toScreenY(y[from] + middle), surface.toScreenX(x[to]), surface.toScreenY(y[to] + middle)];
}

// From so far away, an edge is a straight line.
const areEdgesStraight = (surface) => surface.view.scaleX < 0.1;

// pen: what has the methods of a path.
function traceEdge(pen, surface, from, to) {
  const [x1, y1, x2, y2] = endsOf(surface, from, to);
  const { scaleX } = surface.view;
  pen.moveTo(x1, y1);
  if (areEdgesStraight(surface)) {
    // A shorter edge would be hidden by the pixels of its boxes.
    if (Math.abs(x2 - x1) + Math.abs(y2 - y1) > 3) pen.lineTo(x2, y2);
    return;
  }
  const [out, drop] = [20 * scaleX, box.stepY * scaleX];
  if (x2 > x1) {
    const bend = Math.max((x2 - x1) / 2, 12 * scaleX);
    pen.bezierCurveTo(x1 + bend, y1, x2 - bend, y2, x2, y2);
  } else if (Math.abs(y2 - y1) > 2 * drop) {
    pen.bezierCurveTo(x1 + 2 * out, y1, x2 - 2 * out, y2, x2, y2);
  } else {
    // Back along the same row: below the boxes, and within the margin of the picture.
    pen.bezierCurveTo(x1 + out, y1, x1 + out, y1 + drop, x1, y1 + drop);
    pen.lineTo(x2, y1 + drop);
    pen.bezierCurveTo(x2 - out, y1 + drop, x2 - out, y2, x2, y2);
  }
}

function isEdgeInSight(surface, from, to) {
  const [x1, y1, x2, y2] = endsOf(surface, from, to);
  return Math.max(x1, x2) >= 0 && Math.min(x1, x2) <= surface.width && Math.max(y1, y2) >= 0 && Math.min(y1, y2) <= surface.height;
}

function strokeEdges(context, surface, pairs, { color, width, dash = [] }) {
  if (pairs.length === 0) return;
  const drawn = [];
  graph.drawnEdges.push({ pairs: drawn, trace: traceEdge });
  context.strokeStyle = color;
  context.lineWidth = width;
  context.setLineDash(dash);
  context.beginPath();
  const { scaleX } = surface.view;
  for (let at = 0; at < pairs.length; at += 2) {
    if (!isEdgeInSight(surface, pairs[at], pairs[at + 1])) continue;
    const [, , x2, y2] = endsOf(surface, pairs[at], pairs[at + 1]);
    drawn.push(pairs[at], pairs[at + 1]);
    traceEdge(context, surface, pairs[at], pairs[at + 1]);
    // A small arrowhead, if there is room for it.
    if (scaleX > 0.3) {
      const head = 5 * Math.min(1, scaleX * 1.4);
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
  const wasReduced = graph.isReduced;
  graph.isReduced = isReduced && edges.count + count > 0;
  if (graph.isReduced !== wasReduced) showLegend();
  const near = Math.min(1, surface.view.scaleX * 2);
  if (!isReduced) {
    strokeEdges(context, surface, spawns, lookOf("added", near));
    strokeEdges(context, surface, plainEdges, lookOf("dependency", near));
    strokeEdges(context, surface, lastEdges, lookOf("lastDependency", 0.4 + 1.4 * near));
  }
}

// A bow from box to box, so that those of two that wait for each other lie apart. Returns its ends and what it bends to.
function traceBow(pen, surface, from, to) {
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
  pen.moveTo(...tail);
  pen.quadraticCurveTo(...control, ...tip);
  return { tail, control, tip };
}

// Returns its ends and what it bends to; nothing if both ends are the same.
function drawBow(context, surface, from, to, { color, width, dash = [], words = "" }) {
  if (from === to) return null;
  graph.drawnEdges.push({ pairs: [from, to], trace: traceBow, words });
  context.strokeStyle = color;
  context.lineWidth = width;
  context.setLineDash(dash);
  context.beginPath();
  const bow = traceBow(context, surface, from, to);
  const { control, tip } = bow;
  context.stroke();
  context.setLineDash([]);
  const angle = Math.atan2(tip[1] - control[1], tip[0] - control[0]);
  context.fillStyle = color;
  context.beginPath();
  context.moveTo(...tip);
  for (const side of [-0.4, 0.4]) context.lineTo(tip[0] - 9 * Math.cos(angle + side), tip[1] - 9 * Math.sin(angle + side));
  context.fill();
  return bow;
}

// More could not be read.
const mostWords = 200;

// Fractions of a bow's length, from its tail. Words go to the first place that is free.
const placesOfWords = [0.5, 0.4, 0.6, 0.3, 0.7, 0.2, 0.8];

// The middle of words on a bow, or nothing without room: the edge says them under the pointer, too.
function placeOfWords(surface, { tail, control, tip }, width, height, taken) {
  for (const along of placesOfWords) {
    const [x, y] = [0, 1].map((axis) => (1 - along) ** 2 * tail[axis] + 2 * along * (1 - along) * control[axis] + along ** 2 * tip[axis]);
    const [left, top, right, bottom] = [x - width / 2, y - height / 2, x + width / 2, y + height / 2];
    let isFree = !taken.some((other) => left < other.right && right > other.left && top < other.bottom && bottom > other.top);
    visitBoxes(graph.model, surface.toWorldX(left), surface.toWorldY(top), surface.toWorldX(right), surface.toWorldY(bottom), () => { isFree = false; });
    if (!isFree || right < 0 || left > surface.width || bottom < 0 || top > surface.height) continue;
    taken.push({ left, top, right, bottom });
    return [x, y];
  }
  return null;
}

// What unfinished operations were still waiting for, with words.
function drawOpenWaits(context, surface) {
  const { from, to, words } = source.graph.waits;
  const { colors } = state;
  const { scaleX } = surface.view;
  const size = Math.min(13, 11 * scaleX);
  context.font = `${size}px system-ui, sans-serif`;
  context.textBaseline = "middle";
  let ofCircles = 0;
  const bows = from.map((blocker, at) => {
    if (!isEdgeInSight(surface, blocker, to[at])) return null;
    if (circles.members.has(to[at])) ofCircles += 1;
    return circles.members.has(to[at]) && ofCircles > mostOfCircles ? null : drawBow(context, surface, blocker, to[at], { ...lookOf("unfinished"), words: words[at] });
  });
  graph.omittedOfCircles += Math.max(0, ofCircles - mostOfCircles);
  if (scaleX < 0.5) return;
  // Over all bows.
  context.strokeStyle = colors.background;
  context.fillStyle = lookOf("unfinished").color;
  context.lineWidth = 3;
  const taken = [];
  bows.forEach((bow, at) => {
    if (bow === null || taken.length === mostWords) return;
    const { width } = context.measureText(words[at]);
    const middle = placeOfWords(surface, bow, width, size, taken);
    if (!middle) return;
    const [x, y] = [middle[0] - width / 2, middle[1]];
    context.strokeText(words[at], x, y);
    context.fillText(words[at], x, y);
  });
}

// What ended the waits of an operation, where one of both is a task. What it still waits for in a circle has an arrow already.
function wakersOf(index) {
  const wakers = new Set();
  if (!tasks || index < 0) return wakers;
  for (let at = waits.first[index]; at < waits.first[index + 1] && wakers.size < mostWakes; at += 1) {
    if (isTask(index) || isTask(waits.operation[at])) wakers.add(waits.operation[at]);
  }
  for (const { blocker } of circleHopsOf(index)) wakers.delete(blocker);
  return wakers;
}

function drawSelectedWakes(context, surface) {
  for (const waker of wakersOf(state.selected)) drawBow(context, surface, waker, state.selected, lookOf("wake"));
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

// Over the marks of the selected one, so that a circle has one look.
function drawCircleEdges(context, surface) {
  const pairs = [];
  const { circle } = source.graph;
  for (let at = 0; at < circle.length; at += 2) if (isEdgeInSight(surface, circle[at], circle[at + 1])) pairs.push(circle[at], circle[at + 1]);
  strokeEdges(context, surface, pairs.slice(0, 2 * mostOfCircles), lookOf("circle"));
  graph.omittedOfCircles = Math.max(0, pairs.length / 2 - mostOfCircles);
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
