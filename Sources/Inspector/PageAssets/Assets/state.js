// The selection and the theme, and the functions that are called when they change.

const state = { selected: -1, isDark: false, colors: source.light };
const whenSelected = [];
const whenSearched = [];
const whenThemed = [];

function select(index, origin) {
  const next = index >= 0 && index < count ? index : -1;
  if (next === state.selected) return;
  state.selected = next;
  for (const listener of whenSelected) listener(next, origin);
}

// The page uses the same colours as all pictures. The style sheet gets them as variables.
// The look of each part of a lifetime and of an execution, for elements of its class.
const partLooks = {
  plain: (color) => `background: ${color}`,
  hatched: (color) => `background: repeating-linear-gradient(-45deg, var(--executionHatch) 0 1.5px, ${color} 1.5px 4px)`,
  outlined: (color) => `background: ${color}; border: 1px solid var(--executionHatch)`,
};
const taskPartKeys = tasks?.parts.map(({ key }) => key) ?? [];
for (const [at, part] of [...parts, ...executionParts, ...taskPartKeys].entries()) {
  const look = partLooks[executions?.patterns[at - parts.length] ?? "plain"];
  document.styleSheets[0].insertRule(`.${part} { ${look(`var(--part-${part})`)}; }`, document.styleSheets[0].cssRules.length);
}

// The kinds after the last colour share one.
const kindFill = (kind) => state.colors.groups[source.kindColors[kind]];

// An operation has the same colour in graph and timeline: that of its kind, or of how it ended if that is trouble.
const fillOf = (index) => (operations.ending[index] === 0 ? kindFill(operations.kind[index]) : state.colors.fills[operations.ending[index]]);
// The same where there is room for a few pixels only: what did not succeed has the stronger colour of its border.
const strongFillOf = (index) => (operations.ending[index] === 0 ? kindFill(operations.kind[index]) : state.colors.borders[operations.ending[index]]);

function applyTheme(isDark) {
  state.isDark = isDark;
  state.colors = isDark ? source.dark : source.light;
  const style = document.documentElement.style;
  for (const [name, color] of Object.entries(state.colors)) {
    if (typeof color === "string") style.setProperty(`--${name}`, color);
  }
  source.endings.forEach((_, ending) => {
    style.setProperty(`--fill-${ending}`, state.colors.fills[ending]);
    style.setProperty(`--ending-${ending}`, state.colors.borders[ending]);
  });
  executionParts.forEach((part, index) => style.setProperty(`--part-${part}`, state.colors.executionParts[index]));
  taskPartKeys.forEach((part, index) => style.setProperty(`--part-${part}`, state.colors.taskParts[index]));
  state.colors.groups.forEach((color, kind) => style.setProperty(`--kind-${kind}`, color));
  state.colors.families.forEach((color, family) => style.setProperty(`--family-${family}`, color));
  comparison?.changeColors[isDark ? "dark" : "light"].forEach((color, change) => style.setProperty(`--change-${change}`, color));
  parts.forEach((part, index) => style.setProperty(`--part-${part}`, state.colors.parts[index]));
  style.colorScheme = isDark ? "dark" : "light";
  document.documentElement.dataset.theme = isDark ? "dark" : "light";
  for (const listener of whenThemed) listener();
}
