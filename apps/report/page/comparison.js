// Several run reports beside each other, and how time falls with workers.

const perUnit = (run) => (run.iterations > 0 ? run.seconds_per_iteration : run.seconds_total);
const perUnitPredicted = (run) => (run.iterations > 0 ? run.seconds_per_iteration_predicted : run.seconds_total_predicted);
const cores = (run) => run.workers * run.threads;

function sideBySide(runs) {
  const part = (run, kind) => {
    const all = sum(run.steps.map((step) => mean(workerSeconds(step))));
    const share = all > 0 ? sum(run.steps.filter((step) => step.kind === kind).map((step) => mean(workerSeconds(step)))) / all : 0;
    return share * perUnit(run);
  };
  const kinds = ["sweep", "exchange", "scalar"];
  return bars({
    label: "Seconds per iteration of each run, or in all where there are no iterations", unit: seconds,
    legend: [...kinds.map((kind) => [`${kind}${kind === "scalar" ? " steps" : "s"}`, `background: var(--${kind})`]), ["predicted: a line", "border-color: var(--ink)"]],
    rows: runs.map(({ name, content: run }) => ({ name, predicted: perUnitPredicted(run), total: seconds(perUnit(run)),
      segments: kinds.map((kind) => ({ value: part(run, kind), color: `var(--${kind})`,
        text: `${name}: ${seconds(part(run, kind))} of ${seconds(perUnit(run))} in ${kind} steps` })) })),
    data: table([["run", "text"], ["program", "text"], ["workers", "number"], ["threads", "number"], ["iterations", "number"],
      ["per iteration", "number"], ["predicted", "number"], ["in all", "number"], ["sent", "number"], ["messages", "number"], ["read and written", "number"], ["largest / mean of non-zeros", "number"]],
    runs.map(({ name, content: run }) => [name, run.program, cell(run.workers, whole), cell(run.threads, whole), cell(run.iterations, whole),
      cell(perUnit(run), seconds), cell(perUnitPredicted(run), seconds), cell(run.seconds_total, seconds), cell(run.measured.bytes_sent, bytes),
      cell(run.measured.messages, whole), cell(run.measured.bytes_read + run.measured.bytes_written, bytes),
      times(largest(run.matrices.map((matrix) => matrix.imbalance), 1))])),
  });
}

/** The options in which runs differ. */
function differences(runs) {
  const names = [...new Set(runs.flatMap(({ content }) => Object.keys(content.options)))];
  const differing = names.filter((option) => new Set(runs.map(({ content }) => JSON.stringify(content.options[option]))).size > 1);
  if (differing.length === 0) return make("p", { class: "lead" }, "All runs had the same options.");
  return table([["run", "text"], ...differing.map((option) => [option.replaceAll("_", " "), "text"])],
    runs.map(({ name, content }) => [name, ...differing.map((option) => String(content.options[option] ?? ""))]), "Options in which the runs differ");
}

function scaling(program, runs) {
  const sorted = [...runs].sort((a, b) => cores(a.content) - cores(b.content));
  const first = sorted[0].content, base = cores(first), start = perUnit(first);
  const points = sorted.map(({ content }) => [cores(content), perUnit(content)]);
  const counted = [...new Set(points.map((point) => point[0]))];
  return section(`${program}, by the number of cores`, 3, null,
    lines({
      label: `Seconds of ${program} by cores`, x: { name: "workers × threads", unit: whole, log: true, marked: counted }, y: { name: "seconds", unit: seconds, log: true },
      lines: [{ name: "measured", points }, { name: "predicted", dashed: true, points: sorted.map(({ content }) => [cores(content), perUnitPredicted(content)]) },
        { name: "ideal", dashed: true, color: "var(--soft)", points: counted.map((number) => [number, (start * base) / number]) }],
      data: table([["run", "text"], ["cores", "number"], ["seconds", "number"], ["speed-up", "number"], ["efficiency", "number"]],
        sorted.map(({ name, content }) => [name, cell(cores(content), whole), cell(perUnit(content), seconds),
          times(start / perUnit(content)), percent((start * base) / (perUnit(content) * cores(content)))])),
    }));
}

function compareRuns(runs) {
  const programs = [...new Set(runs.map(({ content }) => content.program))];
  const curves = programs.map((program) => [program, runs.filter(({ content }) => content.program === program)])
    .filter(([, of]) => new Set(of.map(({ content }) => cores(content))).size > 1);
  const series = [...new Set(runs.flatMap(({ content }) => Object.keys(content.series)))]
    .map((title) => [title, runs.filter(({ content }) => (content.series[title] ?? []).length > 0).map(({ name, content }) => [name, content.series[title]])])
    .filter(([, named]) => named.length > 1);
  return section("Runs compared", 2, "Runs compared", sideBySide(runs), differences(runs),
    curves.map(([program, of]) => scaling(program, of)),
    series.map(([title, named]) => section(`${title} of several runs`, 3, null, convergence(title, named))));
}
