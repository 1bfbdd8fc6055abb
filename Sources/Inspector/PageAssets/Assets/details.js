// Shows the selected operation: the answer, then where its time went, what happened, and its chain of delays
// back to the start.

// Creates rows only for the beginning and the end of a long list, as in every opviz table.
function shortenedRows(items, row, more) {
  const shown = (part, offset) => part.map((item, at) => row(item, at + offset));
  const most = mostShown.steps;
  if (items.length <= most) return shown(items, 0);
  const head = Math.ceil(most / 2);
  const tail = items.length - (most - head);
  return [...shown(items.slice(0, head), 0), more(items.length - most), ...shown(items.slice(tail), tail)];
}

function smallTable(caption, headings, rows) {
  const cell = (content, at) => element("td", { class: headings[at].isNumber ? "number" : undefined }, ...[content].flat());
  return element(
    "table", { class: "small" }, element("caption", {}, ...[caption].flat()),
    element("thead", {}, element("tr", {}, ...headings.map(({ text, isNumber }) => (
      text === "" ? element("td", {}) : element("th", { scope: "col", class: isNumber ? "number" : undefined }, text))))),
    element("tbody", {}, ...rows.map((row) => element("tr", {}, ...row.map(cell)))));
}

const numeric = (text) => ({ text, isNumber: true });
const worded = (text) => ({ text, isNumber: false });

const legendEntry = (name, label, time, isSum = false) => element("div", {},
  element("dt", { title: meaningOf(label) }, isSum ? "" : element("span", { class: `swatch ${name}` }), label), element("dd", {}, time));

function partsBar(index) {
  const total = operations.total[index];
  const bar = element("div", { class: "parts", "aria-hidden": "true" });
  const legend = element("dl", { class: "legend" });
  const add = (name, time) => {
    const piece = element("span", { class: `part ${name}` });
    piece.style.flexGrow = String(time / total);
    bar.append(piece);
  };
  const addExecution = (found) => {
    for (const [name, length] of found) {
      legend.append(legendEntry(name, executions.labels[name], `${isEstimated(index, name) ? "≈ " : ""}${duration(length)}`));
    }
  };
  if (isTask(index)) {
    partsOfTask(index).forEach((time, part) => {
      if (time <= 0) return;
      const { key, label } = tasks.parts[part];
      add(key, time);
      legend.append(legendEntry(key, label, duration(time)));
      if (part === tasks.running) addExecution(partsOf(index));
    });
    return total > 0 ? [bar, legend] : [];
  }
  for (const part of parts) {
    const time = operations[part][index];
    if (time <= 0) continue;
    const found = part === "execution" ? partsOf(index) : [];
    for (const [name, length] of found.length > 0 ? found : [[part, time]]) add(name, length);
    legend.append(legendEntry(part, phrases.parts[part], duration(time), found.length > 0));
    addExecution(found);
  }
  return total > 0 ? [bar, legend] : [];
}

function eventTable(index) {
  const row = ([time, length, text]) => [duration(time), length === 0 ? "" : duration(length), sentence(text)];
  return smallTable(say("events"), [numeric("at"), numeric("for"), worded("")],
    shortenedRows(eventsOf(index), row, (more) => ["…", "", say("moreEvents", grouped(more))]));
}

function chainTable(chain) {
  const row = (step, at) => {
    const waited = step.end - step.start - step.waits.execution;
    return [
      duration(step.start), waited === 0 ? "–" : duration(waited), waited === 0 ? "" : waitOfStep(step),
      step.waits.execution === 0 ? "–" : duration(step.waits.execution), operationLink(step.operation),
      relationOfStep(step, at === 0),
    ];
  };
  return smallTable(chain.isCircular ? say("circularChain") : say("chain", composition(chain)),
    [numeric("at"), numeric("waited"), worded("for"), numeric("executed"), worded("operation"), worded("the one above")],
    [...(chain.neverAdded < 0 ? [] : [["", "", "", "", operationLink(chain.neverAdded), ""]]),
      ...shortenedRows(chain.steps, row, (more) => ["…", "", "", "", say("moreSteps", grouped(more)), ""])]);
}

function circleOf(chain) {
  if (!chain.isCircular) return [];
  const { steps } = chain;
  const members = [];
  for (const step of [...steps].reverse()) {
    if (step.end !== steps[steps.length - 1].end || members.includes(step.operation) || members.length === mostShown.ofCircle) continue;
    members.push(step.operation);
  }
  members.push(members.length === mostShown.ofCircle ? "…" : members.includes(chain.closing) ? chain.closing : members[0]);
  return say("circle", members.flatMap((member, at) => (at === 0 ? [member] : [" → ", member])));
}

const relationText = (relation, index) => phrases.relations[relation].replace("{}", () => nameOf(index));

function followersTitle(followers) {
  const number = followers.filter(({ operation }) => isTask(operation)).length;
  if (number === 0) return followers.length === 1 ? say("oneFollower") : say("followers", grouped(followers.length));
  if (number < followers.length) return say("operationsAndTasks", grouped(followers.length));
  return number === 1 ? say("oneTask") : say("tasks", grouped(number));
}

function followersTable(index) {
  const followers = followersOf(index);
  if (followers.length === 0) return element("p", {}, ...say("noFollowers"));
  const rows = followers.slice(0, mostShown.waiters).map(({ operation, relation, waited }) => [duration(waited), operationLink(operation), relationText(relation, index)]);
  if (followers.length > mostShown.waiters) rows.push(["…", say("moreFollowers", grouped(followers.length - mostShown.waiters)), ""]);
  return smallTable(followersTitle(followers),
    [numeric("waited"), worded("operation"), worded("because")], rows);
}

// The whole explanation as texts. Tests compare them with `opviz explain`.
function explain(index) {
  if (!has(index, flag.enqueued)) return { answer: plain(answer(index)), events: [], chain: "", cost: [] };
  const chain = chainTo(index);
  return {
    answer: plain([...answer(index), ...longestStep(index, chain)]),
    events: eventsOf(index).map(([time, length, text]) => [duration(time), length === 0 ? "" : duration(length), plain(text)]),
    chain: composition(chain), circle: plain(circleOf(chain)),
    steps: chain.steps.map((step, at) => [duration(step.start), nameOf(step.operation), relationOfStep(step, at === 0)]),
    followers: followersOf(index).map(({ operation, relation, waited }) => [duration(waited), nameOf(operation), relationText(relation, index)]),
    cost: costOf(index),
  };
}

function findingsOf(index) {
  const found = source.findings.findings.filter((finding) => finding.operations.includes(index));
  if (found.length === 0) return "";
  return element("ul", { class: "own-findings" }, ...found.slice(0, 5).map((finding) => element(
    "li", {}, element("span", { class: `severity ${finding.severity}` }, finding.severity), ` ${finding.summary}`)));
}

function showDetails(index) {
  const pane = byID("story");
  pane.replaceChildren();
  byID("details-title").textContent = isTask(index) ? "Task" : "Operation";
  pane.scrollTop = 0;
  byID("copy-story").hidden = index < 0;
  byID("story-save").hidden = index < 0;
  if (index < 0) {
    pane.append(element("p", { class: "hint" }, count === 0 ? "This trace contains no operations."
      : "Select an operation in the graph, in the timeline or in a table to read why it took so long."));
    return;
  }
  const ending = operations.ending[index];
  const sign = endingSigns[ending] ? `${endingSigns[ending]} ` : "";
  pane.append(
    element("h3", {}, plainName(index)),
    element("p", { class: "facts" }, element("span", { class: `badge ending-${ending}`, title: meaningOf(endingOf(index)) }, sign + endingOf(index)),
      has(index, flag.critical) ? element("span", { class: "badge critical", title: meaningOf("critical path") }, "on the critical path") : "",
      element("span", {}, `${kindName(index)} · ${identifier(index)}`)),
  );
  if (!has(index, flag.enqueued)) {
    pane.append(element("p", { class: "answer" }, ...sentence(answer(index))));
    return;
  }
  const chain = chainTo(index);
  pane.append(
    element("p", { class: "answer" }, ...sentence([...answer(index), ...longestStep(index, chain)])),
    chain.isCircular ? element("p", {}, ...sentence(circleOf(chain))) : "", ...partsBar(index), ...comparedStory(index), histogram(index), findingsOf(index), eventTable(index), chainTable(chain),
    followersTable(index), ...costOf(index).map((line) => element("p", {}, line)),
    source.omission ? element("p", { class: "hint" }, "This page contains only a part of the run; opviz explain shows the rest.") : "");
}

whenSelected.push((index) => {
  showDetails(index);
  announce(index < 0 ? "Nothing is selected." : plain(answer(index)));
});
