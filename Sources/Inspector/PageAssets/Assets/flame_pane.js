// The flame graph beside the story: of the selected operation, or of all operations of its kind.

const flameSource = source.flame;
const flameRow = 18;
// With fewer samples, the graph of the kind says more.
const fewSamples = 10;

const flameNodes = flameSource && {
  parent: places(flameSource.parents, flameSource.nodeCount),
  label: numbers(flameSource.labels, flameSource.nodeCount, Int32Array),
  own: numbers(flameSource.own, flameSource.nodeCount, Float64Array),
  kind: places(flameSource.kinds, flameSource.nodeCount),
  pairOperation: numbers(flameSource.pairOperations, flameSource.pairCount, Int32Array),
  pairNode: numbers(flameSource.pairNodes, flameSource.pairCount, Int32Array),
  pairWeight: numbers(flameSource.pairWeights, flameSource.pairCount, Float64Array),
};

const flameAmount = (weight) => (flameSource.isTime ? duration(weight) : counted(weight, "sample"));

// The time in each node itself, of an operation.
function ownOfOperation(index) {
  const own = new Float64Array(flameSource.nodeCount);
  const { pairOperation, pairNode, pairWeight } = flameNodes;
  let low = 0;
  let high = flameSource.pairCount;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (pairOperation[middle] < index) low = middle + 1; else high = middle;
  }
  for (let at = low; at < flameSource.pairCount && pairOperation[at] === index; at += 1) own[pairNode[at]] += pairWeight[at];
  return own;
}

// The nodes below the kind's, with their place and time: [{ node, level, at, length, own }].
function placedNodes(kind, own) {
  const { parent } = flameNodes;
  const total = Float64Array.from(own);
  for (let node = flameSource.nodeCount - 1; node > 0; node -= 1) total[parent[node]] += total[node];
  const top = flameNodes.kind.indexOf(kind);
  const placed = new Map();
  if (top < 0 || total[top] === 0) return [];
  const next = new Float64Array(flameSource.nodeCount);
  placed.set(top, { node: top, level: 0, at: 0, length: total[top], own: own[top] });
  for (let node = top + 1; node < flameSource.nodeCount; node += 1) {
    const above = placed.get(parent[node]);
    // The nodes of a kind come one after another.
    if (flameNodes.kind[node] >= 0) break;
    if (!above || total[node] === 0) continue;
    const at = next[parent[node]];
    next[parent[node]] += total[node];
    next[node] = at;
    placed.set(node, { node, level: above.level + 1, at, length: total[node], own: own[node] });
  }
  return [...placed.values()];
}

const flamePane = { graph: null, isOfKind: false };
const svgElement = (tag, attributes) => {
  const made = document.createElementNS(byID("flame").namespaceURI, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  return made;
};

function flameTitle(place, whole, name) {
  const file = flameSource.files[flameNodes.label[place.node]];
  const share = `${((place.length / whole) * 100).toFixed(1)} %`;
  const own = place.own > 0 && place.own < place.length ? `; ${flameAmount(place.own)} in itself` : "";
  return `${name}${file && file !== name ? ` (${file})` : ""}: ${flameAmount(place.length)}, ${share}${own}`;
}

function drawFlame(index) {
  const picture = byID("flame");
  picture.replaceChildren();
  flamePane.graph = null;
  const note = (text) => { byID("flame-note").textContent = text; byID("flame-detail").textContent = ""; };
  for (const button of document.querySelectorAll("[data-flame]")) {
    button.setAttribute("aria-pressed", String((button.dataset.flame === "kind") === flamePane.isOfKind));
  }
  if (index < 0) {
    note("Select an operation to see its code.");
    return;
  }
  const kind = operations.kind[index];
  const own = flamePane.isOfKind ? flameNodes.own : ownOfOperation(index);
  const nodes = placedNodes(kind, own);
  const subject = flamePane.isOfKind ? kindName(index) : nameOf(index);
  if (nodes.length === 0) {
    note(flamePane.isOfKind || flameSource.pairCount > 0 ? `No samples in ${subject}.` : "There are too many samples for graphs of single operations.");
    return;
  }
  const whole = nodes[0].length;
  note(`${subject}: ${flameAmount(whole)}${flameSource.isTime ? " on CPU" : ""}`);
  const boxes = nodes.map((place) => {
    const label = flameNodes.label[place.node];
    const name = place.level === 0 ? subject : flameSource.names[label];
    const group = svgElement("g", { class: `box family-${flameSource.families[label]}` });
    const rect = svgElement("rect", { y: place.level * flameRow, height: flameRow - 1 });
    const text = svgElement("text", { y: place.level * flameRow + 12.5 });
    const box = { ...place, group, rect, text, name, title: flameTitle(place, whole, name) };
    const tooltip = svgElement("title", {});
    tooltip.textContent = box.title;
    group.append(tooltip, rect, text);
    group.addEventListener("click", () => { flamePane.graph.select(box); flamePane.graph.enlarge(box); });
    return box;
  });
  picture.append(...boxes.map(({ group }) => group));
  picture.setAttribute("height", (nodes.reduce((most, { level }) => Math.max(most, level), 0) + 1) * flameRow);
  flamePane.graph = new FlameGraph(boxes, (box) => { byID("flame-detail").textContent = box ? box.title : ""; if (box) announce(box.title); });
  arrangeFlame();
}

function arrangeFlame() {
  const width = byID("flame").parentElement.clientWidth;
  if (width > 0) flamePane.graph?.arrange(0, width);
}

if (flameSource) {
  byID("tab-code").hidden = false;
  whenSelected.push((index) => {
    if (index >= 0 && flameSource.isTime) {
      flamePane.isOfKind = sum(ownOfOperation(index)) < fewSamples * (flameSource.period ?? 1);
    }
    drawFlame(index);
  });
  for (const button of document.querySelectorAll("[data-flame]")) {
    button.addEventListener("click", () => { flamePane.isOfKind = button.dataset.flame === "kind"; drawFlame(state.selected); });
  }
  byID("flame").addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !flamePane.graph?.takeKey(event.key)) return;
    event.preventDefault();
    event.stopPropagation();
  });
  new ResizeObserver(arrangeFlame).observe(byID("flame").parentElement);
  drawFlame(-1);
}
