// Phrases that Swift made: the page fills in operations, times and numbers, and decides nothing.

// Phrases that were put together already: each is a shape, and what it is filled in with. The words of a shape
// are the names of templates, each followed by its arguments.
function told({ texts, words, count: length, shapes: shapeColumn, fillingCount, fillings: fillingColumn }) {
  const fill = {
    ":operation": (next, index) => next() + index,
    ":time": (next) => duration(next()),
    ":number": (next) => grouped(next()),
  };
  let at = 0;
  const shape = () => {
    const word = texts[words[at++]];
    if (word === ":nothing") return { fillings: 0, tell: () => [] };
    if (word[0] === "=") return { fillings: 0, tell: () => word.slice(1) };
    if (fill[word]) return { fillings: 1, tell: fill[word] };
    if (word[0] === "$") return { fillings: 0, tell: (next, index) => ownValue(word.slice(1), index) };
    const pieces = Array.from({ length: phrases.templates[word].split("{}").length - 1 }, shape);
    return {
      fillings: pieces.reduce((sum, piece) => sum + piece.fillings, 0),
      tell: (next, index) => say(word, ...pieces.map((piece) => piece.tell(next, index))),
    };
  };
  const shapes = [];
  while (at < words.length) shapes.push(shape());
  const shapeOf = numbers(shapeColumn, length, Int32Array);
  const fillings = numbers(fillingColumn, fillingCount, Float64Array);
  const first = starts(shapeOf.map((number) => shapes[number].fillings));
  // index: the operation that the phrase is about.
  const tell = (phrase, index) => {
    let filling = first[phrase];
    return shapes[shapeOf[phrase]].tell(() => fillings[filling++], index);
  };
  return { tell, pattern: (shape, index) => shapes[shape].tell(undefined, index) };
}

// What is told about operations: patterns that many of them share, which each fills in. Read from a list of
// numbers, as PageStories writes it.
const stories = (() => {
  const { phrases: patterns, times: names, patterns: list, stories: column, slots, queues } = source.stories;
  const { pattern } = told(patterns);
  const known = [];
  let at = 0;
  const next = () => list[at++];
  const several = (read) => Array.from({ length: next() }, read);
  while (at < list.length) {
    known.push({ answer: next(), cost: several(next), events: several(() => ({ at: names[next()], lasting: names[next() - 1], what: next() })) });
  }
  const storyOf = numbers(column, count, Int32Array);
  return { of: (index) => known[storyOf[index]], pattern, slots: numbers(slots, queues, Float64Array) };
})();

