// Durations, identifiers and names, in the form that all outputs of opviz use.

// As DurationFormat: three significant digits below a minute, seconds below an hour, then minutes.
function duration(nanoseconds) {
  const magnitude = Math.abs(nanoseconds);
  const sign = nanoseconds < 0 ? "-" : "";
  if (magnitude < 1000) return `${sign}${magnitude} ns`;
  const rounded = (unit) => Math.floor(magnitude / unit) + (magnitude % unit >= Math.floor((unit + 1) / 2) ? 1 : 0);
  for (const [unit, size] of [["µs", 1e3], ["ms", 1e6], ["s", 1e9]]) {
    for (const [decimals, scale] of [[2, 100], [1, 10], [0, 1]]) {
      const number = rounded(size / scale);
      if (number < 1000 && (unit !== "s" || number < 60 * scale)) {
        return `${sign}${(number / scale).toFixed(decimals)} ${unit}`;
      }
    }
  }
  const seconds = rounded(1e9);
  if (seconds < 3600) return `${sign}${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  const minutes = rounded(60e9);
  return `${sign}${grouped(Math.floor(minutes / 60))} h ${minutes % 60} min`;
}

const sum = (figures) => figures.reduce((total, figure) => total + figure, 0);

// As Prose.grouped: 1,000,000.
const grouped = (number) => String(number).replace(/\B(?=(\d{3})+$)/g, ",");

const counted = (number, one, many = `${one}s`) => `${grouped(number)} ${number === 1 ? one : many}`;

// A number of 64 bits, of which JavaScript has only 53.
const identifierText = (high, low) => `0x${high > 0 ? high.toString(16) + low.toString(16).padStart(8, "0") : low.toString(16)}`;
const identifier = (index) => identifierText(operations.idHigh[index], operations.idLow[index]);

const plainName = (index) => source.names[operations.name[index]];
const kindName = (index) => source.kinds[operations.kind[index]];
// Operations that share a name also show their identifier.
const nameOf = (index) => (index < 0 ? "an operation outside this page" : has(index, flag.sharesName)
  ? `${plainName(index)} ${identifier(index)}${source.processNames ? ` in ${processOf(index)}` : ""}` : plainName(index));
// Of a merged trace.
const processOf = (index) => (index < 0 ? "another process" : source.processNames[operations.process[index]]);
const isAcrossProcesses = (one, other) => Boolean(source.processNames) && operations.process[one] !== operations.process[other];
const endingOf = (index) => source.endings[operations.ending[index]];

// The queues of a run by their number, which is negative for none. The table has only the first ones.
function queuesOf({ queueTable, laterQueues }) {
  const described = new Map(queueTable.map((queue) => [queue.queue - 1, queue]));
  const named = (queue) => described.get(queue) ?? laterQueues[queue - queueTable.length];
  return { described, named, name: (queue) => named(queue)?.name ?? (queue < 0 ? "no queue" : `number ${queue + 1}`) };
}
const shownQueues = queuesOf(source);
const { described: queueOf, named: namedQueue, name: queueName } = shownQueues;

// Signs for the endings, where the word does not fit.
const endingSigns = ["", "✕", "⊘", "…", "?"];

const { phrases } = source;
// How much of a list is shown.
const { mostShown } = phrases;
// A sentence: an array of texts and of operations, which are numbers, so that the page can link to them.
function say(name, ...content) {
  const [first, ...pieces] = phrases.templates[name].split("{}");
  return pieces.reduce((said, piece, at) => said.concat(content[at], piece), [first]);
}

// Of a kind, where there is little room.
const shortNameWidth = 28;
function shortName(name) {
  const characters = [...(name || "?")];
  return characters.length > shortNameWidth ? `${characters.slice(0, shortNameWidth - 1).join("")}…` : characters.join("");
}
