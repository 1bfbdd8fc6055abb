// Draws panels of text as pictures: each word where the browser has it, with its font and its colours. The page's policy and
// browsers do not allow the shorter way, a picture that contains markup.

// Sharp also where a screen is not; and no longer, and no larger, than the canvas that each browser has: those of phones
// have 16.7 million pixels.
const leastPictureRatio = 2;
const longestPictureSide = 16_000;
const largestPictureArea = 16_000_000;
const pictureMargin = 12;

const isTransparent = (color) => color === "transparent" || /^rgba\(.*, 0\)$/.test(color);
const pixelsOf = (length) => parseFloat(length) || 0;

// The rectangle of a background and its border.
function paintFrame(context, style, { x, y, width, height }) {
  const radius = Math.min(pixelsOf(style.borderTopLeftRadius), width / 2, height / 2);
  context.beginPath();
  context.roundRect(x, y, width, height, radius);
  // Hatches are drawn in the picture's own way: lines of the first colour, on the last.
  const gradient = style.backgroundImage.match(/rgba?\([^)]*\)/g) ?? [];
  for (const fill of [style.backgroundColor, gradient.at(-1), gradient.length > 0 ? hatch(context, gradient[0]) : undefined]) {
    if (fill === undefined || (typeof fill === "string" && isTransparent(fill))) continue;
    context.fillStyle = fill;
    context.fill();
  }
  const sides = ["Top", "Right", "Bottom", "Left"].map((side) => ({
    width: style[`border${side}Style`] === "none" ? 0 : pixelsOf(style[`border${side}Width`]), color: style[`border${side}Color`], isDashed: style[`border${side}Style`] === "dashed",
  }));
  const [top, right, bottom, left] = sides;
  const edge = (side, x1, y1, x2, y2) => {
    if (side.width === 0 || isTransparent(side.color)) return;
    [context.strokeStyle, context.lineWidth] = [side.color, side.width];
    context.beginPath();
    context.moveTo(x1, y1);
    context.lineTo(x2, y2);
    context.stroke();
  };
  if (sides.every(({ width: one }) => one > 0)) {
    const half = top.width / 2;
    [context.strokeStyle, context.lineWidth] = [top.color, top.width];
    context.setLineDash(top.isDashed ? [3, 2] : []);
    context.beginPath();
    context.roundRect(x + half, y + half, width - top.width, height - top.width, Math.max(0, radius - half));
    context.stroke();
    context.setLineDash([]);
    return;
  }
  edge(top, x, y + top.width / 2, x + width, y + top.width / 2);
  edge(right, x + width - right.width / 2, y, x + width - right.width / 2, y + height);
  edge(bottom, x, y + height - bottom.width / 2, x + width, y + height - bottom.width / 2);
  edge(left, x + left.width / 2, y, x + left.width / 2, y + height);
}

// Calls `body` with pieces of a text that lie in one line, and their rectangles: words, and letters of a word that is broken.
function visitPieces(node, body) {
  const range = document.createRange();
  const visit = (from, to) => {
    range.setStart(node, from);
    range.setEnd(node, to);
    const frames = [...range.getClientRects()].filter(({ width }) => width > 0);
    if (frames.length === 1) body(node.data.slice(from, to), frames[0]);
    else if (frames.length > 1 && to - from > 1) {
      let at = from;
      for (const letter of node.data.slice(from, to)) {
        visit(at, at + letter.length);
        at += letter.length;
      }
    }
  };
  for (const word of node.data.matchAll(/\S+/g)) visit(word.index, word.index + word[0].length);
}

function paintText(context, node, style, color) {
  context.font = `${style.fontStyle} ${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
  if (style.letterSpacing !== "normal") context.letterSpacing = style.letterSpacing;
  context.fillStyle = color;
  context.textBaseline = "alphabetic";
  const isUpper = style.textTransform === "uppercase";
  visitPieces(node, (text, frame) => {
    const { fontBoundingBoxAscent: above, fontBoundingBoxDescent: below } = context.measureText(text);
    context.fillText(isUpper ? text.toUpperCase() : text, frame.x, frame.y + (frame.height - above - below) / 2 + above);
  });
  context.letterSpacing = "0px";
}

function paintShape(context, style, { x, y, width, height }) {
  context.beginPath();
  context.rect(x, y, width, height);
  if (style.fill !== "none") {
    const { globalAlpha } = context;
    context.globalAlpha = globalAlpha * Number(style.fillOpacity);
    context.fillStyle = style.fill;
    context.fill();
    context.globalAlpha = globalAlpha;
  }
  if (style.stroke === "none") return;
  [context.strokeStyle, context.lineWidth] = [style.stroke, pixelsOf(style.strokeWidth)];
  context.stroke();
}

// The outline of what a search found. The outline of what has the focus does not belong into a picture.
function paintMark(context, style, { x, y, width, height }) {
  const line = pixelsOf(style.outlineWidth);
  const inset = -pixelsOf(style.outlineOffset) - line / 2;
  [context.strokeStyle, context.lineWidth] = [style.outlineColor, line];
  context.beginPath();
  context.roundRect(x + inset, y + inset, width - 2 * inset, height - 2 * inset, pixelsOf(style.borderTopLeftRadius));
  context.stroke();
}

// An element with what it contains, in the coordinates of the window.
function paintElement(context, made) {
  const style = getComputedStyle(made);
  if (style.display === "none" || style.visibility === "hidden") return;
  const isDrawing = made.namespaceURI === byID("flame").namespaceURI;
  context.save();
  context.globalAlpha *= Number(style.opacity);
  if (made.tagName === "rect") paintShape(context, style, made.getBoundingClientRect());
  else if (!isDrawing || made.tagName === "svg") for (const frame of made.getClientRects()) paintFrame(context, style, frame);
  // A cell of a table cuts what would lie over the next one.
  if (style.textOverflow === "ellipsis") {
    const { x, y, width, height } = made.getBoundingClientRect();
    context.beginPath();
    context.rect(x, y, width, height);
    context.clip();
  }
  for (const child of made.childNodes) {
    if (child.nodeType === Node.ELEMENT_NODE) paintElement(context, child);
    else if (child.nodeType === Node.TEXT_NODE && made.tagName !== "title") paintText(context, child, style, isDrawing ? style.fill : style.color);
  }
  if (made.classList.contains("marked")) for (const frame of made.getClientRects()) paintMark(context, style, frame);
  context.restore();
}

// Elements one below the other, each with what is scrolled out of sight.
function pictureOf(members) {
  const sizes = members.map((one) => ({ width: Math.max(one.scrollWidth, one.getBoundingClientRect().width), height: Math.max(one.scrollHeight, one.getBoundingClientRect().height) }));
  const width = Math.max(...sizes.map((size) => size.width)) + 2 * pictureMargin;
  const height = sum(sizes.map((size) => size.height)) + 2 * pictureMargin;
  const sharp = Math.max(leastPictureRatio, window.devicePixelRatio);
  const ratio = Math.min(sharp, longestPictureSide / Math.max(width, height), Math.sqrt(largestPictureArea / (width * height)));
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [Math.ceil(width * ratio), Math.ceil(height * ratio)];
  const context = canvas.getContext("2d");
  context.scale(ratio, ratio);
  context.fillStyle = state.colors.background;
  context.fillRect(0, 0, width, height);
  let top = pictureMargin;
  members.forEach((one, at) => {
    const frame = one.getBoundingClientRect();
    context.save();
    context.translate(pictureMargin - frame.x + one.scrollLeft, top - frame.y + one.scrollTop);
    paintElement(context, one);
    context.restore();
    top += sizes[at].height;
  });
  return canvas;
}
