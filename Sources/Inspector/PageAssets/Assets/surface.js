// A canvas that is zoomed and panned by wheel, drag, pinch and keys. Its owner draws on it.

// Moves that follow each other faster are undone together, in milliseconds.
const undoPause = 500;
const mostUndone = 100;
// How long a finger rests until dragging it selects, in milliseconds.
const longPress = 500;
// How far it may tremble until then, in pixels.
const trembling = 10;

const clamped = (number, [least, most]) => Math.min(Math.max(number, least), most);

class Surface {
  // draw(context, surface) paints. bounds() returns the rectangle of the world, limits() the smallest and
  // largest scales of x and y. selection() returns the rectangle of what is selected, or nothing. onRange(x1, x2,
  // isChosen) is called while the pointer is dragged, if dragging selects; a finger has to rest before it does.
  constructor(canvas, { draw, bounds, limits, selection, zoomsHeight, onPick, onHover, onKey, onRange }) {
    Object.assign(this, { canvas, draw, bounds, limits, selection, zoomsHeight, onPick, onHover, onKey, onRange });
    this.context = canvas.getContext("2d");
    this.view = { x: 0, y: 0, scaleX: 1, scaleY: 1 };
    this.lastFrameMilliseconds = 0;
    this.pointers = new Map();
    this.isFitted = true;
    // How it is fitted again in a panel of another size.
    this.refit = this.fit;
    this.earlierViews = [];
    this.lastMove = -Infinity;
    this.pointer = null;
    this.rangeStart = null;
    this.press = null;
    Surface.current ??= this;
    new ResizeObserver(() => this.resize()).observe(canvas);
    canvas.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    canvas.addEventListener("pointerdown", (event) => this.pointerDown(event));
    canvas.addEventListener("pointermove", (event) => this.pointerMove(event));
    for (const name of ["pointerup", "pointercancel"]) canvas.addEventListener(name, (event) => this.pointerUp(event));
    if (onRange) {
      // Neither the window nor a menu takes the finger from a range.
      canvas.addEventListener("touchmove", (event) => { if (this.rangeStart !== null) event.preventDefault(); }, { passive: false });
      canvas.addEventListener("contextmenu", (event) => { if (this.press !== null) event.preventDefault(); });
    }
    canvas.addEventListener("pointerleave", () => {
      this.pointer = null;
      this.onHover?.(null);
    });
    for (const name of ["pointerenter", "focus"]) canvas.addEventListener(name, () => { Surface.current = this; });
    canvas.addEventListener("keydown", (event) => this.keyDown(event));
    canvas.addEventListener("dblclick", (event) => this.zoom(2, event.offsetX, event.offsetY));
    whenThemed.push(() => this.redraw());
  }

  resize() {
    const ratio = window.devicePixelRatio || 1;
    const { clientWidth: width, clientHeight: height } = this.canvas;
    if (width === 0 || height === 0) return;
    Object.assign(this, { width, height, ratio });
    this.canvas.width = Math.round(width * ratio);
    this.canvas.height = Math.round(height * ratio);
    if (this.isFitted) this.refit();
    this.paint();
  }

  redraw() {
    if (this.frame) return;
    this.frame = requestAnimationFrame(() => this.paint());
  }

  paint() {
    noteView();
    cancelAnimationFrame(this.frame);
    this.frame = 0;
    if (!this.width) return;
    const begin = performance.now();
    this.context.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    this.context.fillStyle = state.colors.background;
    this.context.fillRect(0, 0, this.width, this.height);
    this.draw(this.context, this);
    this.lastFrameMilliseconds = performance.now() - begin;
  }

  toScreenX(x) { return (x - this.view.x) * this.view.scaleX; }
  toScreenY(y) { return (y - this.view.y) * this.view.scaleY; }
  toWorldX(x) { return x / this.view.scaleX + this.view.x; }
  toWorldY(y) { return y / this.view.scaleY + this.view.y; }

  // Before a move that can be undone.
  remember() {
    const now = performance.now();
    if (now - this.lastMove > undoPause) {
      const { view, isFitted, refit, width, height } = this;
      this.earlierViews.push({ view: { ...view }, isFitted, refit, size: [width, height] });
    }
    if (this.earlierViews.length > mostUndone) this.earlierViews.shift();
    this.lastMove = now;
  }

  undo() {
    const earlier = this.earlierViews.pop();
    if (!earlier) return;
    const { size: [width, height], ...others } = earlier;
    Object.assign(this, others);
    this.lastMove = -Infinity;
    this.isFitted && (width !== this.width || height !== this.height) ? this.refit() : this.moved();
  }

  showAll() {
    this.remember();
    this.fit();
  }

  // Makes what is selected as large as it can be, with some room around it.
  fitSelection() {
    const box = this.selection();
    if (!box || !this.width) return;
    this.remember();
    this.enlarge(box);
  }

  enlarge(box, most = Infinity) {
    if (!this.width) return;
    const { view } = this;
    let scale = (this.width * 0.8) / Math.max(box.width, 1e-9);
    if (this.zoomsHeight) scale = Math.min(scale, (this.height * 0.8) / Math.max(box.height, 1e-9));
    this.setScale(Math.min(scale, most));
    view.x = box.x + box.width / 2 - this.width / view.scaleX / 2;
    if (this.zoomsHeight) view.y = box.y + box.height / 2 - this.height / view.scaleY / 2;
    this.moved();
  }

  // Within the limits. Its caller says which place stays where it is.
  setScale(scale) {
    const { view } = this;
    view.scaleX = clamped(scale, this.limits().x);
    if (this.zoomsHeight) view.scaleY = view.scaleX;
    this.isFitted = false;
  }

  fit() {
    if (!this.width) return;
    const limits = this.limits();
    // Where the world begins can depend on the height of its rows.
    if (!this.zoomsHeight) this.view.scaleY = limits.y[0];
    const box = this.bounds();
    let scaleX = clamped(this.width / Math.max(box.width, 1e-9), limits.x);
    let scaleY = clamped(this.height / Math.max(box.height, 1e-9), limits.y);
    if (this.zoomsHeight) scaleX = scaleY = Math.min(scaleX, scaleY);
    this.view = { x: box.x, y: box.y, scaleX, scaleY };
    this.fill();
    this.isFitted = true;
    this.refit = this.fit;
  }

  // Leaves no room empty where more of the world could be seen; what is smaller is in the middle.
  fill() {
    const { view } = this;
    const box = this.bounds();
    const held = (value, start, size, room) => (size < room ? start - (room - size) / 2 : clamped(value, [start, start + size - room]));
    view.x = held(view.x, box.x, box.width, this.width / view.scaleX);
    if (this.zoomsHeight) view.y = held(view.y, box.y, box.height, this.height / view.scaleY);
    this.redraw();
  }

  zoom(factor, x = this.width / 2, y = this.height / 2) {
    if (!this.width) return;
    this.remember();
    const { view } = this;
    const [worldX, worldY] = [this.toWorldX(x), this.toWorldY(y)];
    this.setScale(view.scaleX * factor);
    view.x = worldX - x / view.scaleX;
    if (this.zoomsHeight) view.y = worldY - y / view.scaleY;
    this.moved();
  }

  pan(x, y) {
    if (!this.width) return;
    this.remember();
    this.view.x -= x / this.view.scaleX;
    this.view.y -= y / this.view.scaleY;
    this.isFitted = false;
    this.moved();
  }

  // Keeps a part of the world visible.
  moved() {
    if (!this.width) return;
    const { view } = this;
    const box = this.bounds();
    const held = (value, start, size, room, isLoose) => {
      const slack = isLoose ? room * 0.5 : 0;
      const most = Math.max(start - slack, start + size - room + slack);
      return Math.min(Math.max(value, start - slack), most);
    };
    view.x = held(view.x, box.x, box.width, this.width / view.scaleX, true);
    view.y = held(view.y, box.y, box.height, this.height / view.scaleY, this.zoomsHeight);
    this.redraw();
  }

  // Goes to a place and a scale, within the limits.
  goTo(x, y, scale) {
    this.setScale(scale);
    Object.assign(this.view, { x, y });
    this.moved();
  }

  // Scrolls until a rectangle of the world is visible.
  show(x, y, width, height) {
    const { view } = this;
    if (!this.width) return;
    this.remember();
    const [left, top] = [this.toScreenX(x), this.toScreenY(y)];
    const [right, bottom] = [left + width * view.scaleX, top + height * view.scaleY];
    const isWide = right - left > this.width;
    if (isWide ? right < 0 || left > this.width : left < 0 || right > this.width) {
      view.x = x + (isWide ? 0 : width / 2) - (isWide ? 20 : this.width / 2) / view.scaleX;
      this.isFitted = false;
    }
    if (top < 0 || bottom > this.height) {
      view.y = y + height / 2 - this.height / 2 / view.scaleY;
      this.isFitted = false;
    }
    this.isFitted ? this.redraw() : this.moved();
  }

  wheel(event) {
    this.onHover?.(null);
    // A pinch on a trackpad comes as a wheel with Control.
    if (isOneColumn.matches && !event.ctrlKey) return;
    event.preventDefault();
    if (event.shiftKey) {
      this.pan(0, -(event.deltaY || event.deltaX));
    } else if (Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
      this.pan(-event.deltaX, 0);
    } else {
      const step = event.deltaMode === 1 ? 33 : 1;
      this.zoom(Math.exp(-event.deltaY * step * (event.ctrlKey ? 0.01 : 0.0016)), event.offsetX, event.offsetY);
    }
  }

  pointerDown(event) {
    this.onHover?.(null);
    this.canvas.setPointerCapture(event.pointerId);
    this.pointers.set(event.pointerId, { x: event.offsetX, y: event.offsetY });
    if (this.pointers.size > 1) {
      this.endRange(this.pointer?.x);
      return;
    }
    this.travel = 0;
    const selects = this.onRange && event.pointerType === "mouse" && event.button === 0 && !event.shiftKey;
    this.rangeStart = selects ? this.toWorldX(event.offsetX) : null;
    if (this.onRange && event.pointerType === "touch") this.rest(event.offsetX);
  }

  // A finger that rests begins a range: a line below it says so.
  rest(x) {
    this.press = setTimeout(() => {
      this.rangeStart = this.toWorldX(x);
      this.onRange(this.rangeStart, this.toWorldX(x + 1), false);
    }, longPress);
  }

  endRest() {
    clearTimeout(this.press);
    this.press = null;
  }

  endRange(x) {
    const { rangeStart } = this;
    if (rangeStart !== null && this.travel > 4) this.onRange(rangeStart, this.toWorldX(x), true);
    else if (rangeStart !== null && this.press !== null) this.onRange(rangeStart, rangeStart, true);
    this.rangeStart = null;
    this.endRest();
  }

  pointerMove(event) {
    const { offsetX: x, offsetY: y } = event;
    this.pointer = { x, y };
    const before = this.pointers.get(event.pointerId);
    if (!before) {
      this.onHover?.({ x, y });
      return;
    }
    const other = [...this.pointers].find(([pointer]) => pointer !== event.pointerId)?.[1];
    if (other) {
      const distance = (point) => Math.hypot(point.x - other.x, point.y - other.y);
      this.zoom(Math.max(distance({ x, y }), 1) / Math.max(distance(before), 1), (x + other.x) / 2, (y + other.y) / 2);
      this.pan((x - before.x) / 2, (y - before.y) / 2);
      this.travel = Infinity;
    } else if (this.press !== null && this.rangeStart === null && Math.hypot(x - before.x, y - before.y) <= trembling) {
      return;
    } else {
      this.travel += Math.hypot(x - before.x, y - before.y);
      if (this.travel > 4 && this.rangeStart !== null) this.onRange(this.rangeStart, this.toWorldX(x), false);
      else if (this.travel > 4) {
        this.endRest();
        this.pan(x - before.x, y - before.y);
      }
    }
    this.pointers.set(event.pointerId, { x, y });
  }

  pointerUp(event) {
    if (!this.pointers.delete(event.pointerId) || this.pointers.size > 0) return;
    const isLifted = event.type === "pointerup";
    this.endRange(isLifted ? event.offsetX : this.pointer?.x);
    if (this.travel <= 4 && isLifted) this.onPick({ x: event.offsetX, y: event.offsetY });
  }

  keyDown(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const step = { ArrowLeft: [60, 0], ArrowRight: [-60, 0], ArrowUp: [0, 60], ArrowDown: [0, -60] }[event.key];
    if (step && event.shiftKey) this.pan(...step);
    else if ((!step && event.key !== "Enter") || !this.onKey(event.key)) return;
    event.preventDefault();
  }

  // Keys that work wherever the focus is. Returns whether it was one of them.
  moveByKey(key) {
    const zoom = { "+": 1.4, "=": 1.4, w: 1.4, "-": 1 / 1.4, s: 1 / 1.4 }[key];
    const pan = { a: 0.15, d: -0.15 }[key];
    if (zoom) this.zoom(zoom, this.pointer?.x, this.pointer?.y);
    else if (pan) this.pan(pan * this.width, 0);
    else if (key === "0") this.showAll();
    else if (key === "f") this.fitSelection();
    else if (key === "u") this.undo();
    else return false;
    return true;
  }
}
