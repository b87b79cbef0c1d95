// What the page shows of the documents that it holds.

const { documents } = JSON.parse(document.getElementById("documents").textContent);
const content = document.getElementById("content");
const runs = documents.filter(({ kind }) => kind === "report");
if (runs.length > 1) content.append(compareRuns(runs));
for (const one of documents) {
  content.append({ report: showRun, analysis: showAnalysis, trace: showTrace }[one.kind](one));
}
if (location.hash) document.getElementById(location.hash.slice(1))?.scrollIntoView();
