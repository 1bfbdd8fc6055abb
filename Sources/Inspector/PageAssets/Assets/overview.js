// Draws how many operations executed at once over the whole run, and before them how many threads were on
// processors and waited for one; and how many tasks were running. Marks the part that the timeline shows.

// When operations began and ended, without the tasks.
const ofOperations = spanOf(tasks?.first ?? count);

function drawOverview() {
  const canvas = byID("overview");
  const ratio = window.devicePixelRatio || 1;
  const { clientWidth: width, clientHeight: height } = canvas;
  if (width === 0) return;
  if (canvas.width !== Math.round(width * ratio)) {
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
  }
  const context = canvas.getContext("2d");
  const { colors } = state;
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.fillStyle = colors.panel;
  context.fillRect(0, 0, width, height);
  const values = source.atOnce;
  const { threadsOnCPU, threadsWaiting } = source;
  const both = threadsOnCPU?.map((number, at) => number + threadsWaiting[at]) ?? [];
  const ofTasks = source.tasks?.atOnce;
  const most = [...values, ...both, ...(ofTasks?.numbers ?? [])].reduce((largest, value) => Math.max(largest, value), 1);
  const place = (time) => ((time - axisSpan.first) / axisSpan.length) * width;
  const area = (numbers, style, [first, last]) => {
    const x = (at) => place(first) + (at / numbers.length) * (place(last) - place(first));
    context.fillStyle = style;
    context.beginPath();
    context.moveTo(x(0), height);
    numbers.forEach((value, at) => {
      const y = height - (value / most) * (height - 6);
      context.lineTo(x(at), y);
      context.lineTo(x(at + 1), y);
    });
    context.lineTo(x(numbers.length), height);
    context.fill();
  };
  context.globalAlpha = threadsOnCPU ? 0.3 : 0.55;
  area(values, colors.parts[parts.indexOf("execution")], ofOperations);
  context.globalAlpha = 1;
  if (threadsOnCPU) {
    area(both, hatch(context), ofOperations);
    area(threadsOnCPU, colors.executionParts[0], ofOperations);
  }
  if (ofTasks) {
    context.globalAlpha = 0.55;
    area(ofTasks.numbers, colors.taskParts[tasks.running], [ofTasks.start, ofTasks.end]);
    context.globalAlpha = 1;
  }
  const left = Math.max(0, place(timelineSurface.view.x));
  const right = Math.min(width, place(timelineSurface.toWorldX(timelineSurface.width)));
  if (right - left < width - 2) {
    context.strokeStyle = colors.text;
    context.lineWidth = 1.5;
    context.strokeRect(left + 0.75, 0.75, Math.max(2, right - left - 1.5), height - 1.5);
  }
}

function centreTimeline(event) {
  if (!timelineSurface.width) return;
  timelineSurface.remember();
  const time = axisSpan.first + (event.offsetX / byID("overview").clientWidth) * axisSpan.length;
  timelineSurface.view.x = time - timelineSurface.width / timelineSurface.view.scaleX / 2;
  timelineSurface.isFitted = false;
  timelineSurface.moved();
}

byID("overview").addEventListener("pointerdown", (event) => {
  byID("overview").setPointerCapture(event.pointerId);
  centreTimeline(event);
});
byID("overview").addEventListener("pointermove", (event) => { if (event.buttons & 1) centreTimeline(event); });
