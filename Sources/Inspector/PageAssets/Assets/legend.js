// The legend below the pictures: what colours and lines mean that are drawn now. Each entry filters: a click searches
// for what it stands for, another one for everything again. Of parts of lifetimes: where they took a tenth or more.

const legendNameWidth = 28;
const shortName = (name) => (name.length > legendNameWidth ? `${name.slice(0, legendNameWidth - 1)}…` : name);

const hasTime = (times) => times.some((time) => time > 0);

// label, look: the class of its sample, term: what a click searches for; isDrawn() if it is not always.
const legendEntries = (() => {
  const entries = [];
  const used = new Set(operations.kind);
  // What did not succeed has the colour of its outcome.
  const succeeded = new Set(operations.kind.filter((_, index) => operations.ending[index] === 0));
  const areKindsDrawn = () => graph.mode === "kind";
  const coloured = [...used].filter((kind) => source.kindColors[kind] > 0).sort((a, b) => source.kindColors[a] - source.kindColors[b]);
  for (const kind of coloured) {
    const name = source.kinds[kind];
    entries.push({ label: shortName(name), look: `kind-${source.kindColors[kind]}`, term: termFor("kind", name), meaning: `of the kind ${name}`, isDrawn: () => areKindsDrawn() || succeeded.has(kind) });
  }
  if (coloured.length < used.size) {
    const others = coloured.map((kind) => `-${termFor("kind", source.kinds[kind])}`).join(" ");
    entries.push({ label: counted(used.size - coloured.length, "other kind"), look: "kind-0", term: others, meaning: "of the kinds with less execution than the ones before" });
  }
  const endings = new Set(operations.ending);
  source.endings.forEach((label, ending) => {
    if (ending > 0 && endings.has(ending)) entries.push({ label: `${endingSigns[ending]} ${label}`.trim(), look: `badge ending-${ending}`, term: termFor("outcome", label), meaning: meaningOf(label) });
  });
  const part = (label, look, isDrawn) => entries.push({ label, look, term: termFor("with", label), meaning: meaningOf(label), isDrawn });
  const areWaitsDrawn = () => timeline.mode === "operation" || (state.selected >= 0 && !isTask(state.selected));
  const firstTask = tasks?.first ?? count;
  for (const name of parts) {
    if (name !== "execution" && hasTime(operations[name].subarray(0, firstTask))) part(phrases.parts[name], name, areWaitsDrawn);
  }
  for (const name of executionParts) if (hasTime(executions.sums[name])) part(executions.labels[name], name);
  tasks?.parts.forEach(({ key, label }, number) => {
    if (hasTime(tasks.sums[number]) && number !== tasks.running) part(label, key, () => timeline.mode === "operation" || graph.mode === "operation");
  });
  if (criticalPath.length > 0) entries.push({ label: "critical path", look: "critical-line", term: "is:critical", meaning: meaningOf("critical path") });
  return entries.map((entry) => ({ ...entry, button: legendButton(entry) }));
})();

function legendButton({ label, look, term, meaning }) {
  return element("button", { type: "button", "aria-pressed": "false", title: `${meaning ?? label}; click to filter`, onclick: () => toggleTerm(term) },
    element("span", { class: `swatch ${look}`, "aria-hidden": "true" }), label);
}

const searched = () => ` ${search.field.value.trim()} `;

function toggleTerm(term) {
  const text = searched();
  searchFor((text.includes(` ${term} `) ? text.replace(` ${term} `, " ") : `${text}${term}`).trim());
}

function showLegend() {
  for (const { button, term, isDrawn } of legendEntries) {
    const isPressed = searched().includes(` ${term} `);
    button.setAttribute("aria-pressed", String(isPressed));
    button.hidden = !isPressed && isDrawn !== undefined && !isDrawn();
  }
}

byID("legend").append(...legendEntries.map(({ button }) => button));
byID("legend").hidden = legendEntries.length === 0;
whenSelected.push(showLegend);
