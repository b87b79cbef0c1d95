// Charts: SVG with one tab stop each. Arrow keys, or the pointer, choose a mark, whose numbers then stand below.

const WIDTH = 1080;
const shade = (k) => `var(--series-${k % 8})`;

/** A chart in its frame. `marks` are elements of `svg`, in the order in which arrow keys reach them, each with `text`. */
function figure({ label, svg, marks, legend, note, rows }) {
  const said = make("figcaption", { "aria-live": "polite" }, note ?? "");
  let current = -1;
  const choose = (k) => {
    if (marks.length === 0) return;
    if (current >= 0) marks[current].element.classList.remove("current");
    current = Math.min(Math.max(k, 0), marks.length - 1);
    marks[current].element.classList.add("current");
    said.textContent = marks[current].text;
  };
  marks.forEach((mark, k) => mark.element.addEventListener("pointerenter", () => choose(k)));
  svg.setAttribute("role", "img");
  svg.setAttribute("aria-label", `${label}; arrow keys go through ${marks.length} marks`);
  svg.setAttribute("tabindex", 0);
  svg.addEventListener("keydown", (event) => {
    const moves = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };
    if (event.key in moves) choose(current < 0 ? 0 : current + moves[event.key]);
    else if (event.key === "Home") choose(0);
    else if (event.key === "End") choose(marks.length - 1);
    else return;
    event.preventDefault();
  });
  return make("figure", {},
    legend ? make("ul", { class: "legend" }, legend.map(([name, style]) =>
      make("li", {}, make("i", { style }), name))) : null,
    make("div", { class: "drawing" }, svg), said,
    rows ? folded("Numbers as a table", rows) : null);
}

/** Round numbers, the first at most `least`, the last at least `most`. */
function ticks(most, wanted = 5, least = 0) {
  if (!(most > least)) return [least, least + Math.max(1, Math.abs(least))];
  const raw = (most - least) / wanted, size = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 2.5, 5, 10].map((factor) => factor * size).find((candidate) => candidate >= raw * 0.999);
  const first = Math.floor(least / step + 0.001), all = [first * step];
  while (all.at(-1) < most - 0.001 * step) all.push(step * (first + all.length));
  return all;
}

const cut = (text, most) => (text.length > most ? `${text.slice(0, most - 1)}…` : text);

/** Horizontal bars, one for each row, made of segments one after the other. Each row: `name`, `segments` of `value`,
 * `color`, `opacity`, `text`; besides, `predicted`, a value that is marked, and `least` and `most`. */
function bars({ label, rows, unit, legend, note, data }) {
  const left = 330, right = 90, height = 22, gap = 7, top = 24;
  const most = largest(rows.flatMap((row) => [sum(row.segments.map((s) => s.value)), row.predicted ?? 0, row.most ?? 0]));
  const marked = ticks(most), end = marked.at(-1);
  const at = (value) => left + ((WIDTH - left - right) * value) / end;
  const bottom = top + rows.length * (height + gap);
  const svg = draw("svg", { viewBox: `0 0 ${WIDTH} ${bottom + 4}`, width: WIDTH, height: bottom + 4 });
  for (const tick of marked) {
    svg.append(draw("line", { class: "grid", x1: at(tick), x2: at(tick), y1: top - 4, y2: bottom }),
      draw("text", { class: "soft middle", x: at(tick), y: 12 }, unit(tick)));
  }
  const marks = [];
  rows.forEach((row, k) => {
    const y = top + k * (height + gap);
    svg.append(draw("text", { class: "end", x: left - 10, y: y + height * 0.7 }, cut(row.name, 46), draw("title", {}, row.name)));
    let begin = 0;
    for (const segment of row.segments) {
      const element = draw("rect", {
        class: "mark", x: at(begin), y, width: Math.max(0, at(begin + segment.value) - at(begin)), height,
        style: `fill: ${segment.color}; fill-opacity: ${segment.opacity ?? 1}`,
      });
      svg.append(element);
      marks.push({ element, text: segment.text });
      begin += segment.value;
    }
    if (row.most !== undefined) {
      const middle = y + height / 2;
      svg.append(draw("path", { class: "whisker", fill: "none",
        d: `M${at(row.least)},${middle - 4}v8M${at(row.least)},${middle}H${at(row.most)}M${at(row.most)},${middle - 4}v8` }));
    }
    if (row.predicted !== undefined) {
      svg.append(draw("line", { class: "predicted", x1: at(row.predicted), x2: at(row.predicted), y1: y - 2, y2: y + height + 2 }));
    }
    svg.append(draw("text", { class: "soft", x: at(Math.max(begin, row.predicted ?? 0, row.most ?? 0)) + 6, y: y + height * 0.7 }, row.total ?? unit(begin)));
  });
  svg.append(draw("line", { class: "axis", x1: left, x2: left, y1: top - 4, y2: bottom }));
  return figure({ label, svg, marks, legend, note, rows: data });
}

/** Positions on an axis, and where it has marks: by powers (`log`), or linear, from 0 on if it is not `free`. Where marks
 * are given, an axis by powers goes from the least to the largest value. */
function axis(values, { log: logarithmic, marked: tight, free }, from, to) {
  const finite = values.filter((value) => Number.isFinite(value) && (!logarithmic || value > 0));
  if (!logarithmic) {
    const least = Math.min(smallest(finite), free ? Infinity : 0);
    const marked = ticks(largest(finite, free ? -Infinity : 0), 5, least);
    return { at: (value) => from + ((to - from) * (value - marked[0])) / (marked.at(-1) - marked[0]), marked };
  }
  const low = Math.log10(smallest(finite)), high = Math.log10(largest(finite));
  if (tight && high > low) return { at: (value) => from + ((to - from) * (Math.log10(value) - low)) / (high - low), marked: [] };
  const first = high - low < 0.6 ? low - 0.1 : Math.floor(low), last = high - low < 0.6 ? high + 0.1 : Math.ceil(high);
  const step = Math.max(1, Math.ceil((last - first) / 7));
  const marked = high - low < 0.6 ? [10 ** low, 10 ** high] : range(Math.floor((last - first) / step) + 1).map((k) => 10 ** (first + k * step));
  return { at: (value) => from + ((to - from) * (Math.log10(value) - first)) / (last - first), marked };
}

/** Of many points the lowest and the highest of each stretch, so that none sticks out unseen. */
function thinned(points, most = 600) {
  if (points.length <= most) return points;
  const kept = [];
  for (let k = 0; k < most / 2; ++k) {
    const stretch = points.slice(Math.floor((2 * k * points.length) / most), Math.floor((2 * (k + 1) * points.length) / most));
    const extreme = (better) => stretch.reduce((best, point) => (better(point[1], best[1]) ? point : best));
    kept.push(...[...new Set([extreme((a, b) => a < b), extreme((a, b) => a > b)])].sort((a, b) => a[0] - b[0]));
  }
  return kept;
}

/** Lines through points. Each line: `name`, `points` [x, y], `dashed`. `x` and `y`: `name`, `unit`, `log`, `marked`.
 * `apart`: what is between points means nothing. */
function lines({ label, lines: all, x, y, note, data, highlight, apart }) {
  const left = 84, right = 24, top = 14, bottom = 300, height = 344;
  const drawn = all.map((line) => ({ ...line,
    points: thinned(line.points.filter(([px, py]) => Number.isFinite(py) && (!y.log || py > 0) && (!x.log || px > 0))) }));
  const points = drawn.flatMap((line) => line.points);
  if (points.length === 0) return make("p", { class: "lead" }, "No finite values.");
  const across = axis(points.map((point) => point[0]), x, left, WIDTH - right);
  const up = axis(points.map((point) => point[1]), y, bottom, top);
  const svg = draw("svg", { viewBox: `0 0 ${WIDTH} ${height}`, width: WIDTH, height });
  for (const tick of up.marked) {
    svg.append(draw("line", { class: "grid", x1: left, x2: WIDTH - right, y1: up.at(tick), y2: up.at(tick) }),
      draw("text", { class: "soft end", x: left - 8, y: up.at(tick) + 4 }, y.unit(tick)));
  }
  for (const tick of x.marked ?? across.marked) {
    svg.append(draw("line", { class: "grid", x1: across.at(tick), x2: across.at(tick), y1: top, y2: bottom }),
      draw("text", { class: "soft middle", x: across.at(tick), y: bottom + 18 }, x.unit(tick)));
  }
  svg.append(draw("path", { class: "axis", d: `M${left},${top}V${bottom}H${WIDTH - right}` }),
    draw("text", { class: "soft middle", x: (left + WIDTH - right) / 2, y: height - 6 }, x.name),
    draw("text", { class: "soft middle", transform: `translate(14 ${(top + bottom) / 2}) rotate(-90)` }, y.name));
  const marks = [];
  drawn.forEach((line, k) => {
    const color = line.color ?? shade(k);
    svg.append(draw("polyline", { fill: "none", "stroke-width": 2, "stroke-dasharray": line.dashed ? "6 5" : null, "stroke-opacity": apart ? 0.25 : null,
      style: `stroke: ${color}`, points: line.points.map(([px, py]) => `${across.at(px)},${up.at(py)}`).join(" ") }));
    const radius = line.points.length > 80 ? 2 : 4;
    for (const [px, py] of line.points) {
      const element = draw("circle", { class: "mark", cx: across.at(px), cy: up.at(py), r: highlight?.(line, px) ? 8 : radius, style: `fill: ${color}` });
      svg.append(element);
      marks.push({ element, text: `${line.name}: ${x.name} ${x.unit(px)}, ${y.name} ${y.unit(py)}` });
    }
  });
  return figure({ label, svg, marks, note, rows: data,
    legend: all.length > 1 ? drawn.map((line, k) => [line.name, `background: ${line.color ?? shade(k)}`]) : null });
}
