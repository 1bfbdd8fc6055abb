// Creates elements. Texts are always set as text, so that nothing from a trace is ever parsed as markup.

function element(tag, attributes = {}, ...content) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "onclick") made.addEventListener("click", value);
    else if (value !== undefined && value !== false) made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...content.filter((child) => child !== undefined && child !== null && child !== ""));
  return made;
}

const byID = (id) => document.getElementById(id);

// What a word means, out of the glossary; of a wait, also by its first word, and of its mean.
function meaningOf(word) {
  const [term] = word.split(", ");
  return source.glossary[term] ?? source.glossary[phrases.parts[term]] ?? source.glossary[`${term} wait`];
}

function announce(text) { byID("announcement").textContent = text; }

// The name of an operation, as a button that selects the operation.
function operationLink(index, text) {
  if (index < 0) return element("span", {}, nameOf(index));
  return element(
    "button", { class: "operation", type: "button", "data-operation": index, onclick: () => select(index, "link") },
    text ?? nameOf(index));
}

// The elements of a sentence: texts, and a link for each number, which is an operation.
const sentence = (pieces) => pieces.map((piece) => (typeof piece === "number" ? operationLink(piece) : piece));
const plain = (pieces) => pieces.map((piece) => (typeof piece === "number" ? nameOf(piece) : piece)).join("");
