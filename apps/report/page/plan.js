// A plan as a drawing: a row for each operation, and a lane for each value, from where it is made to where it is last
// read. A chip is where a value is made, a dot where it is read.

const ROW = 26, LANE = 44, TEXT = 560;
const STATES = [["partitioned", "partitioned"], ["consistent", "consistent"], ["pre_reduced", "pre-reduced"], ["shared", "Shared"]];

/** The rows of a tree, in order; `frames` are loops and branches, from row to row. `leaves` numbers the steps. */
function planRows(tree) {
  const rows = [], frames = [];
  let leaves = 0;
  const add = (row) => rows.push({ reads: [], makes: [], tile: [], ...row });
  const walk = (steps, depth) => {
    for (const step of steps) {
      if (step.kind === "sweep") {
        const leaf = leaves++;
        add({ depth, kind: "sweep", leaf, text: `sweep over ${step.over}` });
        for (const operation of step.operations) {
          add({ depth: depth + 1, kind: "operation", leaf, text: operation.label, place: operation.place,
            reads: [...operation.in, ...operation.shared], makes: operation.out, tile: operation.in_tile });
        }
      } else if (step.kind === "exchange") {
        const leaf = leaves++;
        add({ depth, kind: "exchange", leaf, text: "exchange" });
        for (const move of step.moves) {
          add({ depth: depth + 1, kind: "move", leaf, text: `${move.what} ${move.from}${move.roles ? ` of ${move.roles}` : ""}`,
            reads: [move.from], makes: [move.to] });
        }
      } else if (step.kind === "scalar") {
        add({ depth, kind: "scalar", leaf: leaves++, text: step.label, place: step.place, reads: step.in, makes: step.out });
      } else if (step.kind === "loop") {
        const begin = rows.length;
        add({ depth, kind: "loop", text: `while ${step.test}`, place: step.place,
          reads: step.carried.map((value) => value.initial), makes: step.carried.map((value) => value.argument) });
        walk(step.steps, depth + 1);
        add({ depth, kind: "next", text: "next iteration",
          reads: step.carried.map((value) => value.next), makes: step.carried.map((value) => value.result) });
        frames.push({ begin, end: rows.length - 1, depth, kind: "loop" });
      } else {
        const begin = rows.length;
        add({ depth, kind: "branch", text: `if ${step.test}`, place: step.place, reads: [step.test] });
        walk(step.then, depth + 1);
        if (step.otherwise.length > 0) {
          add({ depth, kind: "branch", text: "otherwise" });
          walk(step.otherwise, depth + 1);
        }
        add({ depth, kind: "next", text: "either",
          reads: step.results.flatMap((value) => [value.then, value.otherwise]), makes: step.results.map((value) => value.result) });
        frames.push({ begin, end: rows.length - 1, depth, kind: "branch" });
      }
    }
  };
  walk(tree.steps, 0);
  return { rows, frames };
}

/** From where to where each value lives, and its lane: the first that is free, or that of a value that ends there. */
function planLanes(tree, rows) {
  const lives = new Map();
  const life = (value) => lives.get(value) ?? lives.set(value, { value, begin: -1, end: -1, reads: [] }).get(value);
  rows.forEach((row, k) => {
    for (const value of row.reads) {
      const found = life(value);
      found.end = Math.max(found.end, k);
      found.reads.push(k);
    }
    for (const value of row.makes) {
      const found = life(value);
      if (found.begin < 0 && found.reads.length === 0) found.begin = k;
      found.end = Math.max(found.end, k);
    }
  });
  for (const value of tree.results) if (lives.has(value)) lives.get(value).end = rows.length;
  const taken = [];  // until which row, by lane
  const unread = (found) => found.reads.length === 0 && found.end < rows.length;
  for (const found of [...lives.values()].filter((one) => !(unread(one) && rows[one.end]?.kind === "next"))
    .sort((a, b) => a.begin - b.begin)) {
    let lane = taken.findIndex((until) => until <= found.begin);
    if (lane < 0) lane = taken.push(0) - 1;
    taken[lane] = found.end === found.begin ? found.end + 0.5 : found.end;
    found.lane = lane;
  }
  return { lives: [...lives.values()].filter((found) => found.lane !== undefined), lanes: taken.length };
}

/** @param steps what is known of the steps with the numbers of `leaves`: `share` of the time, `text`; may be empty. */
function planDrawing(tree, steps, label) {
  const { rows, frames } = planRows(tree), { lives, lanes } = planLanes(tree, rows);
  const top = 34, x = (lane) => TEXT + 40 + lane * LANE, y = (row) => top + row * ROW + ROW / 2;
  const width = Math.max(WIDTH, x(lanes) + 20), height = top + rows.length * ROW + 14;
  const svg = draw("svg", { viewBox: `0 0 ${width} ${height}`, width, height, class: width > WIDTH ? "wide" : null });
  for (const frame of [...frames].sort((a, b) => a.depth - b.depth)) {
    svg.append(draw("rect", { x: 3 + frame.depth * 18, y: top + frame.begin * ROW + 1, width: width - 6 - frame.depth * 18,
      height: (frame.end - frame.begin + 1) * ROW - 2, rx: 7, fill: "none",
      style: `stroke: var(--${frame.kind === "loop" ? "ink" : "soft"})`, "stroke-width": 1.5,
      "stroke-dasharray": frame.kind === "loop" ? null : "5 4" }));
  }
  const bold = new Set(["sweep", "exchange", "scalar", "loop", "branch"]);
  const marks = [];
  rows.forEach((row, k) => {
    const indent = 12 + row.depth * 18, known = steps[row.leaf];
    const heads = ["sweep", "exchange", "scalar"].includes(row.kind);
    if (heads) {
      svg.append(draw("rect", { x: indent - 5, y: y(k) - 8, width: 4, height: 16, rx: 2, style: `fill: var(--${row.kind})` }));
    }
    const reach = Math.max(-1, ...lives.filter((found) => found.begin === k || found.reads.includes(k)).map((found) => found.lane));
    if (reach >= 0) {
      svg.append(draw("line", { class: "grid", x1: TEXT + 12, x2: x(reach), y1: y(k), y2: y(k) }));
    }
    const element = draw("text", { x: indent + 4, y: y(k) + 4, "font-weight": bold.has(row.kind) ? 600 : 400 },
      cut(row.text, Math.floor((TEXT - indent - 150) / 6.6)), draw("title", {}, row.text));
    svg.append(element);
    if (row.place) svg.append(draw("text", { class: "soft end", x: TEXT, y: y(k) + 4 }, cut(row.place, 26)));
    if (heads && known?.share !== undefined) {
      svg.append(draw("rect", { x: TEXT - 62 * Math.min(1, known.share), y: y(k) + 7, width: 62 * Math.min(1, known.share), height: 3, style: `fill: var(--${row.kind})` }));
      if (!row.place) svg.append(draw("text", { class: "soft end", x: TEXT, y: y(k) + 4 }, percent(known.share)));
    }
    const passes = [row.makes.length ? `makes ${row.makes.map((value) => `${value} ${tree.values[value]?.state ?? ""}`.trim()).join(", ")}` : null,
      row.reads.length ? `reads ${row.reads.join(", ")}` : null].filter(Boolean).join("; ");
    marks.push({ element, text: [row.text, row.place, passes, heads ? known?.text : null].filter(Boolean).join(" · ") });
  });
  for (const found of lives) {
    const about = tree.values[found.value] ?? { kind: "partitioned", state: "" };
    const inTile = rows[found.begin]?.tile.includes(found.value);
    svg.append(draw("line", { x1: x(found.lane), x2: x(found.lane), y1: found.begin < 0 ? top - 6 : y(found.begin),
      y2: found.end >= rows.length ? height - 4 : y(found.end), "stroke-width": inTile || about.kind === "shared" ? 2 : 4,
      "stroke-dasharray": inTile ? "2 3" : null,
      style: `stroke: var(--${about.kind === "partitioned" ? "ink" : about.kind}); stroke-opacity: ${about.kind === "partitioned" ? 0.6 : 1}` }));
    for (const row of found.reads) {
      svg.append(draw("circle", { cx: x(found.lane), cy: y(row), r: 4.5, style: "fill: var(--ink)" }));
    }
  }
  for (const found of lives) {
    const about = tree.values[found.value] ?? { kind: "partitioned", state: "" };
    const at = found.begin < 0 ? top - 10 : y(found.begin);
    const chip = draw("g", {}, draw("rect", { x: x(found.lane) - 17, y: at - 9, width: 34, height: 18, rx: 9,
      style: `fill: var(--${about.kind}); stroke: var(--soft)` }),
    draw("text", { class: "middle", x: x(found.lane), y: at + 4, style: "fill: var(--on-state); font-size: 11px" }, found.value),
    draw("title", {}, `${found.value}: ${about.kind.replace("_", "-")} ${about.state}`));
    svg.append(chip);
  }
  return figure({ label, svg, marks,
    legend: [...STATES.map(([kind, name]) => [name, `background: var(--${kind}); border-color: var(--soft)`]),
      ["dashed: in tile buffers only", "border: 1px dashed var(--soft)"]],
    note: "A value is made where its name stands, and read at dots. Frames are loops, dashed ones branches; what a loop carries begins anew in its first row.",
    rows: table([["step or operation", "text"], ["source line", "text"], ["reads", "text"], ["makes", "text"]],
      rows.map((row) => [" ".repeat(2 * row.depth) + row.text, row.place ?? "", row.reads.join(" "),
        row.makes.map((value) => `${value}:${tree.values[value]?.state ?? ""}`).join(" ")])) });
}
