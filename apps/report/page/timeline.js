// A trace: a line for each worker and thread, with what is within something below it, and a window that moves.

const LINE = 15;
const CATEGORIES = {
  sweep: "var(--sweep)", exchange: "var(--exchange)", scalar: "var(--scalar)", wait: "var(--series-6)",
  thread: "var(--series-5)", loop: "var(--other)", branch: "var(--other)", run: "var(--other)", prepare: "var(--series-7)",
  plan: "var(--series-3)", read: "var(--series-2)", place: "var(--series-4)", write: "var(--series-2)", checkpoint: "var(--series-6)",
};

/** Events by line, with how deep they are within others, and the names of workers. Times are microseconds. */
function timelineLines(trace) {
  const names = new Map(), byLine = new Map();
  for (const event of trace.traceEvents) {
    if (event.ph === "M" && event.name === "process_name") names.set(event.pid, event.args.name);
    if (event.ph !== "X") continue;
    const key = `${event.pid} ${event.tid}`;
    if (!byLine.has(key)) byLine.set(key, { worker: event.pid, thread: event.tid, events: [], depth: 0 });
    byLine.get(key).events.push({ ...event, end: event.ts + event.dur });
  }
  const all = [...byLine.values()].sort((a, b) => a.worker - b.worker || a.thread - b.thread);
  for (const line of all) {
    line.events.sort((a, b) => a.ts - b.ts || b.dur - a.dur);
    line.name = line.thread === 0 ? names.get(line.worker) ?? `worker ${line.worker}` : `thread ${line.thread}`;
    const around = [];
    for (const event of line.events) {
      while (around.length > 0 && around.at(-1) <= event.ts + 1e-4) around.pop();
      event.depth = around.length;
      around.push(event.end);
      line.depth = Math.max(line.depth, around.length);
    }
  }
  return all;
}

function eventText(event, worker) {
  const args = event.args ?? {};
  return [`worker ${worker}: ${event.name}`, seconds(event.dur / 1e6),
    args.iteration !== undefined ? `iteration ${whole(args.iteration)}` : null,
    args.superstep !== undefined ? `superstep ${whole(args.superstep)}` : null,
    args.bytes_sent ? `${bytes(args.bytes_sent)} sent` : null,
    args.seconds_predicted !== undefined ? `predicted ${seconds(args.seconds_predicted)}` : null,
    `from ${seconds(event.ts / 1e6)} on`].filter(Boolean).join(" · ");
}

const MOST_WORKERS = 48;  // that are drawn

function timelineDrawing(all, from, to) {
  const left = 170, top = 26, at = (time) => left + ((WIDTH - left - 8) * (time - from)) / (to - from);
  let y = top;
  const svg = draw("svg", {}), marks = [];
  for (const tick of ticks(to - from, 6)) {
    if (from + tick > to) continue;
    svg.append(draw("line", { class: "grid", x1: at(from + tick), x2: at(from + tick), y1: top - 6, y2: 0 }),
      draw("text", { class: "soft middle", x: Math.min(at(from + tick), WIDTH - 40), y: 12 }, seconds((from + tick) / 1e6)));
  }
  const workers = new Set();
  for (const line of all) {
    if (workers.add(line.worker).size > MOST_WORKERS) break;
    svg.append(draw("text", { class: line.thread === 0 ? "end" : "soft end", x: left - 10, y: y + 12 }, cut(line.name, 24), draw("title", {}, line.name)));
    const crowds = [];  // by depth, events that are too short to be told apart
    const put = (event, x, width, text) => {
      const element = draw("rect", { class: width > 3 ? "mark" : null, x, y: y + event.depth * LINE, width: Math.max(0.8, width), height: LINE - 1,
        style: `fill: ${CATEGORIES[event.cat] ?? "var(--other)"}` });
      svg.append(element);
      marks.push({ element, text });
    };
    const flush = (depth) => {
      const crowd = crowds[depth];
      crowds[depth] = undefined;
      if (!crowd) return;
      const shares = [...crowd.shares.entries()].sort((one, other) => other[1] - one[1]), all = sum(shares.map(([, duration]) => duration));
      if (crowd.events === 1) return put(crowd.first, crowd.x, crowd.end - crowd.x, eventText(crowd.first, line.worker));
      put({ depth, cat: shares[0][0] }, crowd.x, crowd.end - crowd.x, `worker ${line.worker}: ${whole(crowd.events)} events from ${seconds(crowd.first.ts / 1e6)} on, too short to be told apart here: ` +
        shares.map(([category, duration]) => `${category} ${percent(all > 0 ? duration / all : 1)}`).join(", "));
    };
    for (const event of line.events) {
      if (event.end < from || event.ts > to) continue;
      const x = at(Math.max(event.ts, from)), end = at(Math.min(event.end, to)), crowd = crowds[event.depth];
      if (crowd && (end - crowd.x > 2 || end - x > 1)) flush(event.depth);
      if (end - x > 1) {
        put(event, x, end - x, eventText(event, line.worker));
        if (end - x > 60) {
          svg.append(draw("text", { x: x + 4, y: y + event.depth * LINE + 11, style: `pointer-events: none; font-size: 10px; fill: ${["loop", "branch", "run"].includes(event.cat) ? "var(--ink)" : "var(--card)"}` },
            cut(event.name, Math.floor((end - x - 8) / 5.6))));
        }
        continue;
      }
      const joined = crowds[event.depth] ??= { x, end, events: 0, shares: new Map(), first: event };
      joined.end = Math.max(joined.end, end);
      joined.events += 1;
      joined.shares.set(event.cat, (joined.shares.get(event.cat) ?? 0) + event.dur);
    }
    crowds.forEach((_, depth) => flush(depth));
    y += line.depth * LINE + 7;
  }
  for (const grid of svg.querySelectorAll(".grid")) grid.setAttribute("y2", y);
  fill(svg, { viewBox: `0 0 ${WIDTH} ${y + 2}`, width: WIDTH, height: y + 2 }, []);
  return { svg, marks };
}

function showTrace({ name, content: trace }) {
  const about = trace.otherData ?? {}, all = timelineLines(trace), events = all.flatMap((line) => line.events);
  if (events.length === 0) return section(`Timeline: ${name}`, 2, name, make("p", {}, "No events."));
  const first = smallest(events.map((event) => event.ts)), last = largest(events.map((event) => event.end));
  const workers = [...new Set(all.map((line) => line.worker))];
  const runs = events.filter((event) => event.cat === "loop" || event.cat === "run");
  let from = first, to = last;
  const place = make("div", {});
  const show = () => {
    const { svg, marks } = timelineDrawing(all, from, to);
    place.replaceChildren(figure({ label: "Timeline of workers", svg, marks,
      legend: Object.entries(CATEGORIES).filter(([category]) => events.some((event) => event.cat === category)).map(([category, color]) => [category, `background: ${color}`]),
      note: `From ${seconds(from / 1e6)} to ${seconds(to / 1e6)}. What is within something stands below it.` +
        (workers.length > MOST_WORKERS ? ` Of ${whole(workers.length)} workers the first ${MOST_WORKERS} are drawn.` : "") }));
  };
  const move = (begin, end) => {
    const length = Math.min(Math.max(end - begin, 1), last - first);
    from = Math.min(Math.max(begin, first), last - length);
    to = from + length;
    show();
  };
  const middle = () => (from + to) / 2, length = () => to - from;
  const button = (text, action) => make("button", { type: "button", onclick: action }, text);
  const longest = runs.filter((event) => event.cat === "loop").reduce((best, event) => (best && best.dur >= event.dur ? best : event), undefined);
  const jump = make("input", { type: "number", min: 1, step: 1, id: newName(), onchange: (change) => {
    const found = events.filter((event) => event.args?.iteration === Number(change.target.value));
    if (found.length === 0) return;
    const begin = smallest(found.map((event) => event.ts)), end = largest(found.map((event) => event.end));
    move(begin - 0.1 * (end - begin), end + 0.1 * (end - begin));
  } });
  show();
  const categories = Object.keys(CATEGORIES).filter((category) => events.some((event) => event.cat === category));
  const total = (worker, category) => sum(events.filter((event) => event.pid === worker && event.cat === category).map((event) => event.dur)) / 1e6;
  const steps = new Map();
  for (const event of events) {
    if (event.args?.seconds_predicted === undefined) continue;
    if (!steps.has(event.args.step)) steps.set(event.args.step, { name: event.name, durations: [], predicted: event.args.seconds_predicted });
    steps.get(event.args.step).durations.push(event.dur / 1e6);
  }
  const dropped = sum(about.dropped ?? []);
  return section(`Timeline of ${about.program ?? "a run"}: ${name}`, 2, name,
    tiles([["workers × threads", `${about.workers ?? workers.length} × ${about.threads ?? 1}`], ["events", cell(events.length, whole), dropped ? `${whole(dropped)} earlier ones dropped` : "none dropped"],
      ["from first to last", cell((last - first) / 1e6, seconds)], about.every > 1 && ["iterations kept", `each ${whole(about.every)}th`]]),
    make("div", { class: "controls", role: "group", "aria-label": "Window of the timeline" },
      button("Closer", () => move(middle() - length() / 4, middle() + length() / 4)), button("Farther", () => move(middle() - length(), middle() + length())),
      button("Earlier", () => move(from - length() / 2, to - length() / 2)), button("Later", () => move(from + length() / 2, to + length() / 2)),
      button("All", () => move(first, last)), longest ? button("The longest loop", () => move(longest.ts, longest.end)) : null,
      events.some((event) => event.args?.iteration !== undefined) ? make("label", { for: jump.id }, "Iteration ", jump) : null),
    place,
    folded("Seconds by worker and kind", table([["worker", "number"], ...categories.map((category) => [category, "number"])],
      workers.map((worker) => [worker, ...categories.map((category) => cell(total(worker, category), seconds))]))),
    folded("Steps in the trace", table([["step", "text"], ["events", "number"], ["mean", "number"], ["longest", "number"], ["predicted", "number"]],
      [...steps.entries()].sort((a, b) => a[0] - b[0]).map(([number, { name: of, durations, predicted }]) =>
        [`${number} ${of}`, cell(durations.length, whole), cell(mean(durations), seconds), cell(largest(durations), seconds), cell(predicted, seconds)]))));
}
