// The run with other numbers of slots, or with faster kinds: predictions that were made with the page. What is chosen is
// shown beside what was recorded.

const lessText = (less) => (less >= 0.0005 ? `${(less * 100).toFixed(1)} % less` : less <= -0.0005 ? `${(-less * 100).toFixed(1)} % more` : "no change");

const predictionBar = (label, from, to, longest, look) => element("div", { class: "prediction" },
  element("span", {}, label), element("span", { class: "track", "aria-hidden": "true" }, widthOf(element("span", { class: `bar ${look}` }), from / longest), widthOf(element("span", { class: "bar spread" }), (to - from) / longest)),
  element("span", { class: "number" }, from === to ? duration(from) : `${duration(from)} to ${duration(to)}`));

function widthOf(bar, share) {
  bar.style.width = `${share * 100}%`;
  return bar;
}

// What can be chosen: { group, label, words, from, to, note }.
function choices({ rows, kinds }) {
  const ofSlots = rows.map(({ cells, shortest, longest }) => {
    const number = cells[0].replace(" (recorded)", "");
    const words = number === "as recorded" ? "slots as recorded" : `${number} ${number === "1" ? "slot" : "slots"} in every queue`;
    return { group: "slots in every queue", label: cells[0], words, from: shortest, to: longest, note: cells[cells.length - 1] };
  });
  const ofKinds = kinds.flatMap(({ name, tenth, half }) => [["10 %", tenth], ["50 %", half]].map(([share, makespan]) => ({
    group: `${shortName(name)} faster by`, label: share, words: `${name} ${share} faster`, from: makespan, to: makespan, note: "",
  })));
  return [...ofSlots, ...ofKinds];
}

function showChoice(pane, choice, recorded) {
  const longest = Math.max(recorded, choice.to ?? 0);
  const share = (makespan) => lessText((recorded - makespan) / recorded);
  const words = choice.from === undefined ? choice.note : choice.from === choice.to || share(choice.from) === share(choice.to) ? share(choice.from) : `${share(choice.to)} to ${share(choice.from)}`;
  pane.replaceChildren(predictionBar("recorded", recorded, recorded, longest, "execution"),
    choice.from === undefined ? "" : predictionBar(`with ${choice.words}`, choice.from, choice.to, longest, "execution"),
    element("p", {}, `${choice.words[0].toUpperCase()}${choice.words.slice(1)}: ${words}${choice.from !== undefined && choice.note ? `; ${choice.note}` : ""}.`));
}

function showWhatIf() {
  const pane = byID("whatif-table");
  const { whatIf } = source;
  if (!whatIf) {
    pane.append(element("p", { class: "note" }, "This trace contains no operations."));
    return;
  }
  pane.append(element("p", { class: "note" }, whatIf.fidelity.trim()));
  const all = choices(whatIf);
  // A replay that is too far from the run predicts nothing.
  if (all.length === 0) return;
  const shown = element("div", { class: "predictions", "aria-live": "polite" });
  const groups = new Map();
  for (const choice of all) {
    const button = element("button", { type: "button", "aria-pressed": "false", title: choice.words, onclick: () => choose(choice) }, choice.label);
    choice.button = button;
    groups.set(choice.group, [...(groups.get(choice.group) ?? []), button]);
  }
  const choose = (choice) => {
    for (const other of all) other.button.setAttribute("aria-pressed", String(other === choice));
    showChoice(shown, choice, whatIf.recorded);
  };
  const list = [...groups].map(([name, buttons]) => element("div", { class: "choice" }, element("span", {}, name), element("span", { class: "switch", role: "group", "aria-label": name }, ...buttons)));
  pane.append(element("div", { class: "whatif" }, element("div", {}, ...list, element("p", { class: "quiet" }, "By replay, computed when this page was made; opviz whatif predicts other changes.")), shown));
  const known = all.filter(({ from }) => from !== undefined);
  choose(known.reduce((best, choice) => (choice.to < best.to ? choice : best), known[0] ?? all[0]));
}

showWhatIf();
