// The flame graph beside the story: of the selected operation, or of all operations of its kind.

const flameRow = 18;
// With fewer samples, the graph of the kind says more, and shares say little.
const fewSamples = 10;

// What calculated and what blocked, as columns.
function flameTrees(data) {
  return data && {
    ...data,
    parent: places(data.parents, data.nodeCount), label: numbers(data.labels, data.nodeCount, Int32Array),
    own: numbers(data.own, data.nodeCount, Float64Array), kind: places(data.kinds, data.nodeCount),
    pairOperation: numbers(data.pairOperations, data.pairCount, Int32Array), pairNode: numbers(data.pairNodes, data.pairCount, Int32Array),
    pairWeight: numbers(data.pairWeights, data.pairCount, Float64Array),
    samples: numbers(data.samples, count, Float64Array), kindSamples: numbers(data.kindSamples, source.kinds.length, Float64Array),
  };
}

const flames = { cpu: flameTrees(source.flame), blocked: flameTrees(source.blockedFlame) };
const flamePane = { graph: null, scope: "operation", what: flames.cpu ? "cpu" : "blocked" };
const shownFlames = () => flames[flamePane.what];
const whenFlameDrawn = [];

const flameAmount = (weight) => (shownFlames().isTime ? duration(weight) : counted(weight, "sample"));

// The time in each node itself, of the operations that pass, in their order.
function ownOf(members) {
  const { nodeCount, pairCount, pairOperation, pairNode, pairWeight } = shownFlames();
  const own = new Float64Array(nodeCount);
  let at = 0;
  for (const index of members) {
    at += partition(pairOperation.subarray(at), (operation) => operation < index);
    for (; at < pairCount && pairOperation[at] === index; at += 1) own[pairNode[at]] += pairWeight[at];
  }
  return own;
}

// The nodes below the kind's, or all of them if it is negative, with their place and time: [{ node, level, at, length, own }].
function placedNodes(kind, own) {
  const { parent, nodeCount, kind: kinds } = shownFlames();
  const total = Float64Array.from(own);
  for (let node = nodeCount - 1; node > 0; node -= 1) total[parent[node]] += total[node];
  const top = kind < 0 ? 0 : kinds.indexOf(kind);
  const placed = new Map();
  if (top < 0 || total[top] === 0) return [];
  const next = new Float64Array(nodeCount);
  placed.set(top, { node: top, level: 0, at: 0, length: total[top], own: own[top] });
  for (let node = top + 1; node < nodeCount; node += 1) {
    const above = placed.get(parent[node]);
    // The nodes of a kind come one after another.
    if (kind >= 0 && kinds[node] >= 0) break;
    if (!above || total[node] === 0) continue;
    const at = next[parent[node]];
    next[parent[node]] += total[node];
    next[node] = at;
    placed.set(node, { node, level: above.level + 1, at, length: total[node], own: own[node] });
  }
  return [...placed.values()];
}

const svgElement = (tag, attributes) => {
  const made = document.createElementNS(byID("flame").namespaceURI, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  return made;
};

function flameTitle(place, whole, name) {
  const { files, label } = shownFlames();
  const file = files[label[place.node]];
  const share = `${((place.length / whole) * 100).toFixed(1)} %`;
  const own = place.own > 0 && place.own < place.length ? `; ${flameAmount(place.own)} in itself` : "";
  return `${name}${file && file !== name ? ` (${file})` : ""}: ${flameAmount(place.length)}, ${share}${own}`;
}

// What the graph is of: its words, the number of its kind or a negative one, the time in each node itself, and its samples.
function flameSubject(index) {
  const { own, pairCount, samples, kindSamples } = shownFlames();
  if (flamePane.scope === "run") {
    // A search that finds only functions leaves no operation out.
    const isPart = search.isMatch !== null && pairCount > 0 && (search.matches.length > 0 || search.contains === null);
    return isPart ? { subject: `${grouped(search.matches.length)} that match`, kind: -1, own: ownOf(search.matches), number: sum(search.matches.map((match) => samples[match])) }
      : { subject: "all operations", kind: -1, own, number: sum(kindSamples) };
  }
  const kind = operations.kind[index];
  return flamePane.scope === "kind" ? { subject: kindName(index), kind, own, number: kindSamples[kind] }
    : { subject: nameOf(index), kind, own: ownOf([index]), number: samples[index] };
}

// How much it is, and on how many samples it rests. A stack is taken each time a thread blocks, so that few of them are enough
// for shares of blocked time.
function flameNote(subject, whole, number) {
  if (!shownFlames().isTime) return `${subject}: ${flameAmount(whole)}`;
  const rests = `in ${counted(number, "sample")}`;
  if (flamePane.what === "blocked") return `${subject}: ${flameAmount(whole)} blocked, ${rests}`;
  return `${subject}: ${flameAmount(whole)} on CPU, ${rests}${number < fewSamples ? ", too few for shares" : ""}`;
}

function drawFlame(index) {
  fillFlame(index);
  for (const listener of whenFlameDrawn) listener();
}

function fillFlame(index) {
  const picture = byID("flame");
  picture.replaceChildren();
  flamePane.graph = null;
  const note = (text) => { byID("flame-note").textContent = text; byID("flame-detail").textContent = ""; };
  for (const button of document.querySelectorAll("[data-flame]")) button.setAttribute("aria-pressed", String(button.dataset.flame === flamePane.scope));
  for (const button of document.querySelectorAll("[data-flame-what]")) button.setAttribute("aria-pressed", String(button.dataset.flameWhat === flamePane.what));
  if (index < 0 && flamePane.scope !== "run") {
    note("Select an operation to see its code.");
    return;
  }
  const { subject, kind, own, number } = flameSubject(index);
  const nodes = placedNodes(kind, own);
  const { names, families, label: labels, kind: kinds, pairCount } = shownFlames();
  if (nodes.length === 0) {
    note(flamePane.scope !== "operation" || pairCount > 0 ? `No samples in ${subject}.` : "There are too many samples for graphs of single operations.");
    return;
  }
  const whole = nodes[0].length;
  note(flameNote(subject, whole, number));
  const boxes = nodes.map((place) => {
    const label = labels[place.node];
    const name = place.level === 0 ? subject : names[label];
    const group = svgElement("g", { class: `box family-${families[label]}` });
    const rect = svgElement("rect", { y: place.level * flameRow, height: flameRow - 1 });
    // The box of a kind has its colour.
    const ofKind = place.level === 0 && kind >= 0 ? kind : kinds[place.node];
    if (ofKind >= 0 && source.kindColors[ofKind] > 0) rect.style.fill = `var(--kind-${source.kindColors[ofKind]})`;
    const text = svgElement("text", { y: place.level * flameRow + 12.5 });
    const box = { ...place, isFunction: place.level > 0 && kinds[place.node] < 0, group, rect, text, name, title: flameTitle(place, whole, name) };
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

if (shownFlames()) {
  byID("tab-code").hidden = false;
  byID("flame-what").hidden = !flames.cpu || !flames.blocked;
  whenSelected.push((index) => {
    const { isTime, samples } = shownFlames();
    if (index >= 0 && isTime && flamePane.scope !== "run") {
      flamePane.scope = samples[index] < (flamePane.what === "blocked" ? 1 : fewSamples) ? "kind" : "operation";
    }
    drawFlame(index);
  });
  for (const button of document.querySelectorAll("[data-flame]")) {
    button.addEventListener("click", () => { flamePane.scope = button.dataset.flame; drawFlame(state.selected); });
  }
  for (const button of document.querySelectorAll("[data-flame-what]")) {
    button.addEventListener("click", () => { flamePane.what = button.dataset.flameWhat; drawFlame(state.selected); });
  }
  whenSearched.push(() => { if (flamePane.scope === "run") drawFlame(state.selected); });
  byID("flame").addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !flamePane.graph?.takeKey(event.key)) return;
    event.preventDefault();
    event.stopPropagation();
  });
  new ResizeObserver(arrangeFlame).observe(byID("flame").parentElement);
  drawFlame(-1);
}
