// An analysis: formulas, what they come to for other sizes and networks, and the number of workers that takes least time.

/** What sliders have been set to. Sizes that nobody has set follow those that they depend on. */
class Sizes {
  constructor(program, network) {
    this.whatIf = program.what_if;
    this.network = network;
    this.reset(program.workers);
  }

  reset(workers) {
    this.at = this.whatIf.workers.indexOf(workers);
    this.given = {};
    this.latency = this.network.message_picoseconds / 1e12;
    this.bandwidth = this.network.bytes_per_second;
  }

  get names() { return Object.keys(this.whatIf.symbols); }
  get P() { return this.whatIf.workers[this.at]; }

  /** A symbol as planned for so many workers, without what was set. */
  planned(name, at) { return this.whatIf.symbols[name][at]; }

  value(name, at) {
    if (name in this.given) return this.given[name];
    const grown = (this.whatIf.follows[name] ?? []).map((other) => this.value(other, at) / Math.max(1, this.planned(other, at)));
    return grown.reduce((all, factor) => all * factor, this.planned(name, at));
  }

  all(at, planned) {
    const values = { P: this.whatIf.workers[at] };
    for (const name of this.names) values[name] = planned ? this.planned(name, at) : this.value(name, at);
    return values;
  }

  /** Seconds of one entry of a step of a block, on `whatIf.workers[at]` workers. */
  seconds(step, block, number, at) {
    const known = this.whatIf.blocks[block][number], planned = known.picoseconds[at] / 1e12;
    if (!step.stream) return 0;
    const before = this.all(at, true), now = this.all(at, false);
    if (step.kind !== "exchange") {
      const traffic = (values) => evaluate(step.stream.bytes_read, values) + evaluate(step.stream.bytes_written, values);
      return planned * (traffic(before) > 0 ? traffic(now) / traffic(before) : 1);
    }
    const P = now.P, others = this.network.message_picoseconds / 1e12, rate = this.network.bytes_per_second;
    const vectors = (values) => evaluate({ terms: Object.fromEntries(Object.entries(step.stream.bytes_sent.terms).filter(([symbol]) => symbol !== "P(P-1)")) }, values);
    let changed = planned;
    if (P > 1) changed += (known.messages[at] / P) * (this.latency - others) + vectors(now) / (P * this.bandwidth) - vectors(before) / (P * rate);
    if (P > 1 && known.reduces) changed += (this.network.reduction_picoseconds / 1e12) * Math.ceil(Math.log2(P)) * (this.latency / others - 1);
    return Math.max(0, changed);
  }
}

function slider({ name, label, least, most, value, format, whole: isWhole, change }) {
  const id = newName(), low = Math.log(Math.max(least, 1e-12)), high = Math.log(Math.max(most, least * 2));
  const toPlace = (number) => (1000 * (Math.log(Math.max(number, Math.exp(low))) - low)) / (high - low);
  const bar = make("input", { type: "range", id, min: 0, max: 1000, step: 1, "data-symbol": name });
  const box = make("input", { type: "number", min: 0, step: "any", "aria-label": `${label}, as a number`, "data-symbol": name });
  const show = (number) => {
    bar.value = toPlace(number);
    bar.setAttribute("aria-valuetext", format(number));
    if (document.activeElement !== box) box.value = Number(number.toPrecision(isWhole ? 15 : 6));
  };
  bar.addEventListener("input", () => {
    const number = Math.exp(low + ((high - low) * bar.value) / 1000);
    change(isWhole ? Math.round(number) : number);
  });
  box.addEventListener("change", () => Number(box.value) > 0 && change(Number(box.value)));
  show(value);
  return { show, element: make("div", { class: "slider" }, make("label", { for: id }, label), bar, box) };
}

/** The block that repeats most: a loop's with the most steps, or the top. */
function mainBlock(plan) {
  const size = (block) => (block.per === "iteration" ? 1000 : 0) + block.steps.length;
  return plan.blocks.reduce((best, block, k) => (size(block) > size(plan.blocks[best]) ? k : best), 0);
}

const MEANINGS = { N: "elements", S: "replicas", M: "non-zeros", R: "runs in blocks", L: "long runs in blocks",
  T: "runs of stencils", K: "entries of their stencils" };
const symbolLabel = (name) => `${name}: ${MEANINGS[name[0]] ?? ""}`;

const MOVED = ["bytes_read", "bytes_written", "bytes_sent"];

/** The formulas of a block's steps. @param before the block without optimization, if there is one like it */
function formulaTable(block, before, column, values, time) {
  const row = (name, costs, took) => [name, took === undefined ? "" : cell(took, seconds),
    cell(sum(MOVED.map((field) => evaluate(costs[field], values))), bytes), ...MOVED.map((field) => formulaMath(costs[field]))];
  const steps = block.steps.map((step, k) => [step, k]).filter(([step]) => step[column]);
  const scalars = steps.filter(([step]) => step.kind === "scalar");
  return table([["step", "text"], ["seconds", "number"], ["all bytes", "number"], ["bytes read", "text"], ["bytes written", "text"], ["bytes sent", "text"]], [
    ...steps.filter(([step]) => step.kind !== "scalar").map(([step, k]) =>
      row(make("span", { class: "step-text", title: [step.text, ...step.details].join("\n") }, inShort(step)), step[column], time(k))),
    ...(scalars.length > 0 ? [[`${scalars.length} scalar step${scalars.length === 1 ? "" : "s"}`, cell(sum(scalars.map(([, k]) => time(k))), seconds), "", "", "", ""]] : []),
    row(make("strong", {}, "in all"), block[column], sum(steps.map(([, k]) => time(k)))),
    ...(before ? [row(make("strong", {}, "without optimization"), before[column])] : [])], `Formulas of ${block.name}, per ${block.per}`);
}

function showProgram(program, network, number) {
  const sizes = new Sizes(program, network), plan = program.after;
  let block = mainBlock(plan), column = "stream";
  const output = make("div", { class: "what-if" });
  const sliders = [];

  const render = () => {
    const shown = plan.blocks[block], values = sizes.all(sizes.at, false);
    const total = (at, kind) => sum(shown.steps.map((step, k) => (!kind || step.kind === kind ? sizes.seconds(step, block, k, at) : 0)));
    const all = sizes.whatIf.workers.map((P, at) => [P, total(at)]);
    const best = all.reduce((least, point) => (point[1] < least[1] ? point : least));
    const traffic = (of, field) => evaluate(of.blocks[block]?.[column][field] ?? { terms: {} }, values);
    const sameBlocks = program.before.blocks.length === plan.blocks.length;
    const saved = (field) => {
      if (!sameBlocks) return undefined;
      const was = traffic(program.before, field);
      const share = 1 - traffic(plan, field) / was;
      return was > 0 ? `${percent(Math.abs(share))} ${share < 0 ? "more" : "less"} than without optimization` : undefined;
    };
    const now = total(sizes.at), messages = sum(sizes.whatIf.blocks[block].map((step) => step.messages?.[sizes.at] ?? 0));
    output.replaceChildren(
      tiles([
        [`seconds per ${shown.per}`, make("span", { "data-what": "seconds", "data-value": now }, seconds(now)), `on ${whole(sizes.P)} worker${sizes.P === 1 ? "" : "s"}`],
        ["least time", make("span", { "data-what": "best", "data-value": best[0] }, `${whole(best[0])} workers`), `${seconds(best[1])}, ${times(all[0][1] / best[1])} as fast as ${whole(all[0][0])} worker${all[0][0] === 1 ? "" : "s"}`],
        ["read", cell(traffic(plan, "bytes_read"), bytes), saved("bytes_read")],
        ["written", cell(traffic(plan, "bytes_written"), bytes), saved("bytes_written")],
        ["sent", cell(traffic(plan, "bytes_sent"), bytes), saved("bytes_sent")],
        ["messages of vectors", cell(messages, whole)],
        ["buffers on a worker", cell(evaluate(plan.buffer_bytes[column], values) / sizes.P, bytes)],
      ]),
      lines({
        label: "Predicted seconds by the number of workers",
        x: { name: "workers", unit: whole, log: all.length > 1, marked: all.map(([P]) => P).filter((P) => all.length < 8 || Number.isInteger(Math.log2(P))) },
        y: { name: `seconds per ${shown.per}`, unit: seconds, log: true },
        lines: [{ name: "all", points: all, color: "var(--ink)" }, ...["sweep", "exchange"].map((kind) => ({
          name: `${kind}s`, color: `var(--${kind})`, points: sizes.whatIf.workers.map((P, at) => [P, total(at, kind)]) }))],
        highlight: (line, P) => line.name === "all" && (P === best[0] || P === sizes.P),
        note: `The large points are the least time, at ${whole(best[0])} workers, and what is chosen, ${whole(sizes.P)}.`,
        data: table([["workers", "number"], ["seconds", "number"], ["sweeps", "number"], ["exchanges", "number"], ["speed-up", "number"], ["worker-seconds", "number"], ...sizes.names.map((name) => [name, "number"])],
          all.map(([P, time], at) => [cell(P, whole), cell(time, seconds), cell(total(at, "sweep"), seconds), cell(total(at, "exchange"), seconds),
            times(all[0][1] / time), cell(P * time, seconds), ...sizes.names.map((name) => cell(Math.round(sizes.value(name, at)), whole))])),
      }),
      formulaTable(shown, sameBlocks ? program.before.blocks[block] : undefined, column, values, (k) => sizes.seconds(shown.steps[k], block, k, sizes.at)));
    for (const update of sliders) update();
  };

  const add = (options, current) => {
    const made = slider({ ...options, value: current() });
    sliders.push(() => made.show(current()));
    return made.element;
  };
  const last = sizes.whatIf.workers.length - 1, id = newName();
  const workersBar = make("input", { type: "range", id, min: 0, max: last, step: 1, "data-symbol": "P" });
  const workersBox = make("output", { for: id });
  workersBar.addEventListener("input", () => { sizes.at = Number(workersBar.value); render(); });
  sliders.push(() => {
    workersBar.value = sizes.at;
    workersBar.setAttribute("aria-valuetext", `${sizes.P} workers`);
    workersBox.textContent = whole(sizes.P);
  });
  const bySymbol = (name) => {
    const most = Math.max(...sizes.whatIf.symbols[name], 1);
    return add({ name, label: symbolLabel(name), least: 1, most: most * 1e5, format: whole, whole: true,
      change: (value) => { sizes.given[name] = value; render(); } }, () => Math.round(sizes.value(name, sizes.at)));
  };
  const main = sizes.names.filter((name) => ["N", "M"].includes(name[0]) || /^S\d*$/.test(name));
  const further = sizes.names.filter((name) => !main.includes(name));
  const controls = [
    make("div", { class: "sliders" },
      make("div", { class: "slider" }, make("label", { for: id }, "P: workers"), workersBar, workersBox),
      main.map(bySymbol),
      add({ name: "latency", label: "latency of a message, seconds", least: 1e-8, most: 1e-2, format: seconds,
        change: (value) => { sizes.latency = value; render(); } }, () => sizes.latency),
      add({ name: "bandwidth", label: "bandwidth, bytes per second", least: 1e6, most: 1e12, format: (value) => `${bytes(value)}/s`,
        change: (value) => { sizes.bandwidth = value; render(); } }, () => sizes.bandwidth)),
    further.length > 0 ? folded("Further sizes", make("div", { class: "sliders" }, further.map(bySymbol))) : null,
    make("div", { class: "controls" },
      make("label", {}, "Block ", make("select", { onchange: (event) => { block = Number(event.target.value); render(); } },
        plan.blocks.map((one, k) => make("option", { value: k, selected: k === block }, `${one.name}, per ${one.per}`)))),
      make("label", {}, "Costs ", make("select", { onchange: (event) => { column = event.target.value; render(); } },
        make("option", { value: "stream" }, "what is really touched"), make("option", { value: "model" }, "in the paper's terms"))),
      make("button", { type: "button", onclick: () => { sizes.reset(program.workers); render(); } }, "As analyzed"))];
  const follows = Object.entries(sizes.whatIf.follows).map(([name, others]) => `${name} with ${[...new Set(others)].join(" and ")}`);
  const parts = [
    section("What it costs", 3, null,
      make("p", { class: "lead" }, "A size that is set stays; those that nobody has set follow: replicas are estimated for each number of workers from the degrees of the data",
        follows.length > 0 ? `, and grow in proportion, ${follows.join(", ")}.` : ".",
        " Times of sweeps grow with their traffic from what the time model predicts for so many workers; those of exchanges by latency, bandwidth, and the messages of each worker."),
      controls, output),
    section("The plan", 3, null, planDrawing(plan.tree, [], `Plan of program ${number + 1}`),
      folded("Without optimization", planDrawing(program.before.tree, [], `Plan of program ${number + 1}, before`))),
    program.decisions.length > 0 ? folded(`Decisions (${program.decisions.length}; ${whole(program.placements_tried)} placements were costed)`,
      table([["about", "text"], ["option", "text"], ["", "text"], ["sent per iteration", "number"], ["touched per iteration", "number"], ["transitions", "text"]],
        program.decisions.flatMap((decision) => decision.options.map((option, k) => [k === 0 ? decision.about : "", option.text,
          make("span", { class: option.chosen ? "good" : "" }, option.chosen ? "chosen" : option.cost ? "" : "cannot be run"),
          cell(option.cost ? option.cost.loops.bytes_sent : NaN, bytes), cell(option.cost ? option.cost.loops.stream_bytes : NaN, bytes), option.transitions.join("; ")])))) : null];
  render();
  return parts;
}

function showAnalysis({ name, content: analysis }) {
  const most = (program) => Math.max(...program.after.blocks.map((block, k) => (block.per === "iteration" ? 1000 : 0) + block.steps.length));
  const main = analysis.programs.reduce((best, program, k) => (most(program) > most(analysis.programs[best]) ? k : best), 0);
  return section(`Analysis of ${analysis.program}: ${name}`, 2, name,
    make("p", { class: "lead" }, `Sizes ${analysis.sizes}.`),
    analysis.programs.map((program, k) => {
      if (!program.what_if) return make("p", { class: "lead" }, "Written by an earlier kasen-analyze: sizes cannot be changed.");
      const parts = showProgram(program, analysis.network, k);
      if (analysis.programs.length === 1) return parts;
      return make("details", { open: k === main }, make("summary", {}, `Program ${k + 1} of ${analysis.programs.length}, which ran ${whole(program.runs)} time${program.runs === 1 ? "" : "s"}`), parts);
    }));
}
