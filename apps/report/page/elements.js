// Elements of the page, and numbers as people read them. Text is only ever set as text, never as markup.

const SVG = "http://www.w3.org/2000/svg";
const MATH = "http://www.w3.org/1998/Math/MathML";

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  for (const child of children.flat(Infinity)) if (child !== null && child !== undefined) element.append(child);
  return element;
}

const make = (tag, attributes, ...children) => fill(document.createElement(tag), attributes, children);
const draw = (tag, attributes, ...children) => fill(document.createElementNS(SVG, tag), attributes, children);
const typeset = (tag, attributes, ...children) => fill(document.createElementNS(MATH, tag), attributes, children);

let namesGiven = 0;
const newName = () => `n${++namesGiven}`;

const sum = (numbers) => numbers.reduce((all, number) => all + number, 0);
const mean = (numbers) => (numbers.length === 0 ? 0 : sum(numbers) / numbers.length);
const largest = (numbers, least = 0) => numbers.reduce((most, number) => Math.max(most, number), least);
const smallest = (numbers) => numbers.reduce((least, number) => Math.min(least, number), Infinity);
const range = (length) => Array.from({ length }, (_, k) => k);

/** Three digits, or all of a whole number that is small. */
function digits(number) {
  if (!Number.isFinite(number)) return "–";
  if (number === 0) return "0";
  const size = Math.abs(number);
  if (size >= 1e6 || size < 1e-4) return number.toExponential(2).replace("e+", "e");
  if (Number.isInteger(number)) return number.toLocaleString("en");
  return String(Number(number.toPrecision(3)));
}

function scaled(number, base, units) {
  let unit = 0;
  while (Math.abs(number) >= base && unit + 1 < units.length) {
    number /= base;
    ++unit;
  }
  return `${Number(number.toPrecision(3))} ${units[unit]}`;
}

function seconds(number) {
  if (!Number.isFinite(number)) return "–";
  if (number === 0) return "0 s";
  if (Math.abs(number) < 1) return scaled(number * 1e9, 1000, ["ns", "µs", "ms", "s"]);
  return `${Number(number.toPrecision(4))} s`;
}

const bytes = (number) => (Number.isFinite(number) ? scaled(number, 1000, ["B", "kB", "MB", "GB", "TB", "PB"]) : "–");
const whole = (number) => (Number.isFinite(number) ? number.toLocaleString("en") : "–");
const percent = (number) => (Number.isFinite(number) ? `${(100 * number).toFixed(1)} %` : "–");
const times = (number) => (Number.isFinite(number) ? `${Number(number.toPrecision(3))} ×` : "–");

/** A table. `columns` are [title, kind] with kind "text" or "number"; cells are strings, numbers or elements. */
function table(columns, rows, title) {
  const align = (k) => (columns[k][1] === "number" ? { class: "number" } : {});
  return make("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": title ?? "Table" },
    make("table", {},
      title ? make("caption", {}, title) : null,
      make("thead", {}, make("tr", {}, columns.map(([name], k) => make("th", { scope: "col", ...align(k) }, name)))),
      make("tbody", {}, rows.map((cells) => make("tr", {}, cells.map((cell, k) => {
        if (cell instanceof Node) return make("td", align(k), cell);
        return make("td", { ...align(k), "data-value": typeof cell === "number" ? cell : null },
          typeof cell === "number" ? digits(cell) : String(cell));
      }))))));
}

/** A step of a report or an analysis in few words: its first operation, and how many there are besides. */
function inShort(step) {
  const operations = step.details.map((line) => line.trim()).filter((line) => line.includes("->"));
  if (step.kind === "scalar" || operations.length === 0) return step.text;
  const rest = operations.length > 1 ? ` +${operations.length - 1}` : "";
  return `${step.kind}: ${operations[0].split(/ v\d+[: ]| -> /)[0]}${rest}`;
}

/** A cell that shows a number in a unit, and keeps the number itself. */
const cell = (number, unit) => make("span", { "data-value": number }, unit(number));

const folded = (title, ...children) => make("details", {}, make("summary", {}, title), children);

function tiles(entries) {
  return make("dl", { class: "tiles" }, entries.filter(Boolean).map(([name, value, note]) =>
    make("div", {}, make("dt", {}, name), make("dd", {}, value, note ? make("small", {}, note) : null))));
}

/** A section with a heading that the list of sections leads to, if `listed` gives it a name there. */
function section(title, level, listed, ...children) {
  const id = newName();
  if (listed) document.getElementById("sections").append(make("li", {}, make("a", { href: `#${id}` }, listed)));
  return make("section", { "aria-labelledby": id }, make(`h${level}`, { id, tabindex: -1 }, title), children);
}
