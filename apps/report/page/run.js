// The sections about one run report.

const COUNT_UNITS = (name) => (name.startsWith("bytes") || name === "buffer_bytes" ? bytes : whole);
const stepColor = (step, k) => ({ color: `var(--${step.kind})`, opacity: [1, 0.72, 0.5, 0.86, 0.6][k % 5] });

const shortName = (step, k) => `${k} ${inShort(step)}`;

const workerSeconds = (step) => step.seconds_by_worker ?? [step.seconds];
const imbalance = (numbers) => (mean(numbers) > 0 ? largest(numbers) / mean(numbers) : 1);

function runTiles(run) {
  return tiles([
    ["workers × threads", `${run.workers} × ${run.threads}`],
    ["iterations", cell(run.iterations, whole)],
    run.iterations > 0 && ["seconds per iteration", cell(run.seconds_per_iteration, seconds),
      `predicted ${seconds(run.seconds_per_iteration_predicted)}`],
    ["running plans", cell(run.seconds_total, seconds), `predicted ${seconds(run.seconds_total_predicted)}`],
    ["planning", cell(run.seconds_planning, seconds), `${run.plans} plan${run.plans === 1 ? "" : "s"}, ${run.runs} run${run.runs === 1 ? "" : "s"}`],
    ["sent to other workers", cell(run.measured.bytes_sent, bytes), `${whole(run.measured.messages)} messages`],
    ["memory traffic", cell(run.measured.bytes_read + run.measured.bytes_written, bytes)],
    ["buffers", cell(run.measured.buffer_bytes, bytes)],
    run.checkpoints && ["checkpoints", cell(run.checkpoints.taken, whole), seconds(run.checkpoints.seconds)],
  ]);
}

function stepTimes(run) {
  const steps = run.steps.map((step, k) => ({ step, k, all: workerSeconds(step) })).filter(({ step }) => step.entered > 0)
    .sort((a, b) => mean(b.all) - mean(a.all));
  const shown = steps.slice(0, 24);
  const data = table([["step", "text"], ["entered", "number"], ["mean of workers", "number"], ["least", "number"], ["most", "number"],
    ["predicted", "number"], ["measured / predicted", "number"]],
  steps.map(({ step, k, all }) => [shortName(step, k), cell(step.entered, whole), cell(mean(all), seconds),
    cell(smallest(all), seconds), cell(largest(all), seconds), cell(step.seconds_predicted, seconds),
    times(mean(all) / step.seconds_predicted)]));
  return bars({
    label: "Seconds of each step", unit: seconds, data,
    legend: [["sweep", "background: var(--sweep)"], ["exchange", "background: var(--exchange)"], ["scalar", "background: var(--scalar)"],
      ["predicted: a line", "border-color: var(--ink)"], ["least to most of the workers: a whisker", ""]],
    note: steps.length > shown.length ? `The ${shown.length} longest of ${steps.length} steps; all are in the table.` : "",
    rows: shown.map(({ step, k, all }) => ({
      name: shortName(step, k), predicted: step.seconds_predicted,
      least: all.length > 1 ? smallest(all) : undefined, most: all.length > 1 ? largest(all) : undefined,
      segments: [{ value: mean(all), color: `var(--${step.kind})`,
        text: `${shortName(step, k)} (${step.text}): ${seconds(mean(all))} on a worker in the mean, ${seconds(step.seconds_predicted)} predicted, entered ${whole(step.entered)} times` }],
    })),
  });
}

function workerTimes(run) {
  const workers = range(run.workers);
  const steps = run.steps.map((step, k) => ({ step, k, all: workerSeconds(step) })).filter(({ all }) => all.length === run.workers && largest(all) > 0);
  if (steps.length === 0) return null;
  const totals = run.by_worker?.seconds_total ?? workers.map((worker) => sum(steps.map(({ all }) => all[worker])));
  const slowest = [...workers].sort((a, b) => totals[b] - totals[a] || a - b);
  const shown = new Set(workers.length <= 48 ? workers : [...slowest.slice(0, 32), ...slowest.slice(-8)]);
  const byKind = (kind, worker) => sum(steps.filter(({ step }) => step.kind === kind).map(({ all }) => all[worker]));
  return bars({
    label: "Seconds of each worker, by step", unit: seconds,
    legend: [["sweeps", "background: var(--sweep)"], ["exchanges, with waiting", "background: var(--exchange)"],
      ["scalar steps", "background: var(--scalar)"], ["between steps", "background: var(--other)"]],
    note: "Each piece is a step; who has less to do waits in exchanges for the others." +
      (shown.size < workers.length ? ` Shown are the 32 slowest and the 8 fastest of ${whole(workers.length)} workers; all are in the table.` : ""),
    rows: workers.filter((worker) => shown.has(worker)).map((worker) => ({
      name: `worker ${worker}`,
      segments: [...steps.map(({ step, k, all }) => ({ value: all[worker], ...stepColor(step, k),
        text: `worker ${worker}, ${shortName(step, k)}: ${seconds(all[worker])}` })),
      { value: Math.max(0, totals[worker] - sum(steps.map(({ all }) => all[worker]))), color: "var(--other)",
        text: `worker ${worker}, between steps: ${seconds(totals[worker] - sum(steps.map(({ all }) => all[worker])))}` }],
    })),
    data: table([["worker", "number"], ["all", "number"], ["sweeps", "number"], ["exchanges", "number"], ["scalar steps", "number"],
      ...steps.map(({ step, k }) => [shortName(step, k), "number"])],
    workers.map((worker) => [worker, cell(totals[worker], seconds), cell(byKind("sweep", worker), seconds),
      cell(byKind("exchange", worker), seconds), cell(byKind("scalar", worker), seconds),
      ...steps.map(({ all }) => cell(all[worker], seconds))])),
  });
}

/** What each worker has of something, beside the mean. */
function spread(title, rows) {
  const shown = rows.filter(([, numbers]) => numbers && numbers.length > 0 && sum(numbers) > 0);
  if (shown.length === 0) return null;
  const workers = range(shown[0][1].length);
  return lines({
    label: title, apart: true, x: { name: "worker", unit: digits, marked: workers.length <= 20 ? workers : undefined },
    y: { name: "share of the mean", unit: percent },
    lines: shown.map(([name, numbers]) => ({ name, points: numbers.map((number, worker) => [worker, number / mean(numbers)]) })),
    note: "100 % is the mean; the highest point of a line is what the others wait for.",
    data: table([["", "text"], ["largest / mean", "number"], ...workers.map((worker) => [`worker ${worker}`, "number"])],
      shown.map(([name, numbers, unit]) => [name, times(imbalance(numbers)), ...numbers.map((number) => cell(number, unit))])),
  });
}

function balance(run) {
  const steps = run.steps.filter((step) => workerSeconds(step).length === run.workers);
  const of = (kind) => range(run.workers).map((worker) => sum(steps.filter((step) => step.kind === kind).map((step) => workerSeconds(step)[worker])));
  const counts = run.by_worker ?? {};
  return [
    make("h3", {}, "Imbalance of the work"),
    spread("Work of each worker beside the mean", [["seconds in sweeps", of("sweep"), seconds], ["seconds in exchanges", of("exchange"), seconds],
      ["bytes read", counts.bytes_read, bytes], ["bytes written", counts.bytes_written, bytes], ["bytes sent", counts.bytes_sent, bytes]]),
    make("h3", {}, "Balance of the partition"),
    make("p", { class: "lead" }, `Partition ${run.options.partition}.`),
    spread("Data of each worker beside the mean", [
      ...run.matrices.map((matrix, k) => [`non-zeros of matrix ${k}`, matrix.nonzeros_by_worker, whole]),
      ...run.index_spaces.flatMap((space) => [[`masters of ${space.name}`, space.masters_by_worker, whole],
        [`replicas of ${space.name}`, space.replicas_by_worker, whole]])]),
    folded("Index spaces and matrices",
      table([["index space", "text"], ["length", "number"], ["replicas", "number"]],
        run.index_spaces.map((space) => [space.name, cell(space.length, whole), cell(space.replicas, whole)])),
      table([["matrix", "text"], ["rows", "number"], ["columns", "number"], ["non-zeros", "number"], ["largest / mean", "number"], ["stored", "text"]],
        run.matrices.map((matrix, k) => [`matrix ${k}`, cell(matrix.rows, whole), cell(matrix.columns, whole),
          cell(matrix.nonzeros, whole), times(matrix.imbalance), matrix.dense ? "dense" : matrix.symmetric ? "sparse, symmetric" : "sparse"]))),
  ];
}

function counts(run) {
  return table([["count", "text"], ["predicted", "number"], ["measured", "number"], ["", "text"], ["in the paper's terms", "number"]],
    Object.keys(run.measured).map((name) => {
      const equal = run.predicted[name] === run.measured[name];
      return [name.replaceAll("_", " "), cell(run.predicted[name], COUNT_UNITS(name)), cell(run.measured[name], COUNT_UNITS(name)),
        make("span", { class: equal ? "good" : "bad" }, equal ? "equal" : "differ"), cell(run.model[name], COUNT_UNITS(name))];
    }), "Counts over all workers, plans and iterations");
}

/** Values over iterations, of several runs. `named`: pairs of a name and the values. */
function convergence(title, named) {
  const finite = named.flatMap(([, values]) => values).filter((value) => value !== null);
  const entries = range(largest(named.map(([, values]) => values.length))), step = Math.ceil(entries.length / 1000);
  const positive = finite.length > 0 && finite.every((value) => value > 0);
  return lines({
    label: title, x: { name: "entry", unit: whole },
    y: { name: title, unit: digits, free: true, log: positive && largest(finite) / smallest(finite) > 20 },
    lines: named.map(([name, values]) => ({ name, points: values.map((value, k) => [k + 1, value ?? NaN]) })),
    data: table([["entry", "number"], ...named.map(([name]) => [name, "number"])],
      entries.filter((k) => k % step === 0).map((k) => [k + 1, ...named.map(([, values]) =>
        make("span", { "data-value": values[k] ?? null }, values[k] === undefined || values[k] === null ? "–" : String(values[k])))]),
    step > 1 ? `Each ${step}th of ${whole(entries.length)}` : undefined),
  });
}

function showRun({ name, content: run }) {
  const totals = sum(run.steps.map((step) => mean(workerSeconds(step))));
  const known = (plan) => run.steps.filter((step) => (step.plan ?? 0) === plan).map((step) => ({
    share: totals > 0 ? mean(workerSeconds(step)) / totals : undefined,
    text: `${seconds(mean(workerSeconds(step)))} in ${whole(step.entered)} entries`,
  }));
  const series = Object.entries(run.series).filter(([, values]) => values.length > 0);
  return section(`${run.program}: ${name}`, 2, name,
    runTiles(run),
    folded("Options", table([["option", "text"], ["value", "text"]],
      Object.entries({ ...run.options, profile: run.profile, instruction_set: run.instruction_set ?? "" }).map(([key, value]) => [key.replaceAll("_", " "), Array.isArray(value) ? value.join(", ") : String(value)]))),
    section("Where the time went, by step", 3, null, stepTimes(run)),
    section("Where the time went, by worker", 3, null, workerTimes(run) ?? make("p", { class: "lead" }, "No step ran.")),
    balance(run),
    section("Predicted beside measured", 3, null, make("p", { class: "lead" }, "Counts are exact: each step's formula times its entries, beside what counters in kernels and exchanges have added up."), counts(run)),
    series.length > 0 ? section("Series", 3, null, series.map(([title, values]) => convergence(title, [[name, values]]))) : null,
    (run.trees ?? []).length > 0 ? section(run.trees.length === 1 ? "The plan" : "The plans", 3, null, run.trees.map((tree, plan) => {
      const drawing = planDrawing(tree, known(plan), `Plan ${plan}`);
      return run.trees.length === 1 ? drawing : make("details", { open: plan + 1 === run.trees.length }, make("summary", {}, `Plan ${plan}`), drawing);
    })) : null,
    folded("Steps as text", make("pre", { class: "mono scroll", tabindex: 0 },
      run.steps.map((step, k) => `${k} ${step.text}\n${step.details.map((line) => `    ${line}\n`).join("")}`).join(""))));
}
