// Which edge of the graph is under the pointer, among those that are drawn, and what it is in words.

// In pixels.
const edgeReach = 5;

// A pen that draws nothing, and notes how near the lines come to a point.
class NearestPen {
  constructor(point) { Object.assign(this, { point, at: null, nearest: Infinity }); }

  moveTo(...place) { this.at = place; }

  lineTo(...place) {
    const [[x1, y1], [x2, y2], { x, y }] = [this.at, place, this.point];
    const [dx, dy] = [x2 - x1, y2 - y1];
    const part = Math.min(Math.max(((x - x1) * dx + (y - y1) * dy) / (dx * dx + dy * dy || 1), 0), 1);
    this.nearest = Math.min(this.nearest, Math.hypot(x1 + part * dx - x, y1 + part * dy - y));
    this.at = place;
  }

  quadraticCurveTo(cx, cy, x2, y2) {
    const [x1, y1] = this.at;
    const third = (end, control) => end + ((control - end) * 2) / 3;
    this.bezierCurveTo(third(x1, cx), third(y1, cy), third(x2, cx), third(y2, cy), x2, y2);
  }

  // In pieces that are about as long as the reach.
  bezierCurveTo(cx1, cy1, cx2, cy2, x2, y2) {
    const [x1, y1] = this.at;
    const length = Math.hypot(cx1 - x1, cy1 - y1) + Math.hypot(cx2 - cx1, cy2 - cy1) + Math.hypot(x2 - cx2, y2 - cy2);
    const pieces = Math.min(200, Math.max(8, Math.ceil(length / edgeReach)));
    for (let piece = 1; piece <= pieces; piece += 1) {
      const [to, back] = [piece / pieces, 1 - piece / pieces];
      const between = (a, b, c, d) => back ** 3 * a + 3 * back * back * to * b + 3 * back * to * to * c + to ** 3 * d;
      this.lineTo(between(x1, cx1, cx2, x2), between(y1, cy1, cy2, y2));
    }
  }
}

// Of several, the nearest; of equally near ones, the last that was drawn, which is on top. Null if none is near.
function edgeAt(surface, point) {
  let [found, nearest] = [null, edgeReach];
  // How far a curve goes beyond the rectangle between its ends.
  const slack = edgeReach + 3.4 * box.height * surface.view.scaleX;
  for (const { pairs, trace, words } of graph.drawnEdges) {
    for (let at = 0; at < pairs.length; at += 2) {
      const [from, to] = [pairs[at], pairs[at + 1]];
      const [x1, y1, x2, y2] = endsOf(surface, from, to);
      if (Math.max(x1, x2) + slack < point.x || Math.min(x1, x2) - slack > point.x
        || Math.max(y1, y2) + slack < point.y || Math.min(y1, y2) - slack > point.y) continue;
      const pen = new NearestPen(point);
      trace(pen, surface, from, to);
      if (pen.nearest <= nearest) [found, nearest] = [{ from, to, words }, pen.nearest];
    }
  }
  return found;
}

// As in the story, what a reason of a wait means for the one that waited.
const relationOfReason = { ...relationOfTaskReason, blockingWait: "blockingWait", child: "lastChild" };

// What the first is for the second, as sentences in which "it" is the first.
function relationsBetween(from, to) {
  const [one, other] = [nameOf(from), nameOf(to)];
  const lines = [];
  const edge = edges.from.subarray(edges.first[to], edges.first[to + 1]).indexOf(from);
  if (edge >= 0) {
    const last = operations.lastDependency[to];
    const isWaiting = !has(from, flag.finished) && !has(to, flag.started) && !has(to, flag.finished);
    if (isWaiting) lines.push(`${other} ${plain(say(has(from, flag.enqueued) ? "waits" : "waitsForMissing", from))}`);
    else lines.push(`${other} ${relationText(from === last ? "lastDependency" : "dependency", from)}`);
  }
  if (operations.parent[to] === from) {
    const phrase = isAcrossProcesses(from, to) ? phrases.reasons.remoteCause : phrases.reasons.added;
    lines.push(`${one} ${phrase.replace("it", () => other)}`);
  }
  const waited = new Set();
  for (let at = waits.first[to]; at < waits.first[to + 1]; at += 1) {
    if (waits.operation[at] === from) waited.add(relationOfReason[reasons[waits.reason[at]]] ?? "awaited");
  }
  for (const relation of waited) lines.push(`${other} ${relationText(relation, from)}`);
  const isCritical = (edge >= 0 && edges.isCritical[edges.first[to] + edge])
    || criticalPath.some((step, at) => step === to && at > 0 && criticalPath[at - 1] === from);
  if (isCritical) lines.push("part of the critical path");
  return lines;
}

const isOpenWait = (from, to) => source.graph.waits.from.some((blocker, at) => blocker === from && source.graph.waits.to[at] === to);

function hoverEdge(surface, point, { from, to, words }) {
  const lines = words ? [`${nameOf(from)} ${words}`] : relationsBetween(from, to);
  if (isOpenWait(from, to) && isOpenWait(to, from)) lines.push("in both directions: each waits for the other");
  showTooltip(surface, point, element("strong", {}, `${nameOf(from)} → ${nameOf(to)}`), ...lines.map((line) => element("p", {}, line)));
}

// How many edges of each sort lead from kind to kind, by the numbers of both; counted when they are first asked for.
let kindEdges = null;
function edgesOfKinds() {
  if (kindEdges) return kindEdges;
  kindEdges = new Map();
  const add = (from, to, sort) => {
    const key = `${operations.kind[from]} ${operations.kind[to]}`;
    if (!kindEdges.has(key)) kindEdges.set(key, { dependencies: 0, last: 0, added: 0, critical: 0 });
    kindEdges.get(key)[sort] += 1;
  };
  for (let edge = 0; edge < edges.count; edge += 1) {
    const [from, to] = [edges.from[edge], edges.to[edge]];
    add(from, to, "dependencies");
    if (operations.lastDependency[to] === from) add(from, to, "last");
    if (edges.isCritical[edge]) add(from, to, "critical");
  }
  for (let index = 0; index < count; index += 1) if (operations.parent[index] >= 0 && operations.parent[index] !== index) add(operations.parent[index], index, "added");
  return kindEdges;
}

function hoverKindEdge(surface, point, { from, to }) {
  const lines = (one, other) => {
    const sorts = edgesOfKinds().get(`${graphKinds[one].kind} ${graphKinds[other].kind}`);
    if (!sorts) return [];
    const { dependencies, last, added, critical } = sorts;
    return [element("strong", {}, `${graphKinds[one].name} → ${graphKinds[other].name}`),
      dependencies > 0 ? element("p", {}, `${counted(dependencies, "dependency", "dependencies")}, of which ${grouped(last)} finished last`) : "",
      added > 0 ? element("p", {}, `${grouped(added)} added`) : "",
      critical > 0 ? element("p", {}, `${grouped(critical)} on the critical path`) : ""].filter((line) => line !== "");
  };
  showTooltip(surface, point, ...lines(from, to), ...lines(to, from));
}

// What is under the pointer: a box, or else an edge.
function hoverGraph(surface, point) {
  if (point === null) return hideTooltip();
  const found = boxAt(graph.model, surface.toWorldX(point.x), surface.toWorldY(point.y), 1 / surface.view.scaleX);
  const isByKind = graph.mode === "kind";
  if (found >= 0) return isByKind ? hoverKind(surface, point, found) : hover(surface, point, found);
  const edge = edgeAt(surface, point);
  if (edge === null) return hideTooltip();
  return isByKind ? hoverKindEdge(surface, point, edge) : hoverEdge(surface, point, edge);
}
