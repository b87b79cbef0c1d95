// Cost formulas: typeset, and evaluated for the values of symbols.

/** A symbol such as "N", "S_row", "S1_col0" or "P(P-1)". */
function symbolMath(name) {
  if (name === "P(P-1)") {
    return typeset("mrow", {}, typeset("mi", {}, "P"), typeset("mo", {}, "("), typeset("mi", {}, "P"), typeset("mo", {}, "−"), typeset("mn", {}, "1"), typeset("mo", {}, ")"));
  }
  const [, letter, number, role] = /^([A-Z])(\d*)_?(.*)$/.exec(name) ?? [null, name, "", ""];
  const below = [number, role.replaceAll("_", ", ")].filter(Boolean).join(" ");
  if (!below) return typeset("mi", {}, letter);
  return typeset("msub", {}, typeset("mi", {}, letter), typeset("mtext", {}, below));
}

/** A sum of terms; the text of the formula stands beside it for who cannot see it. */
function formulaMath(formula) {
  const terms = Object.entries(formula.terms);
  const parts = [];
  terms.forEach(([symbol, coefficient], k) => {
    if (k > 0) parts.push(typeset("mo", {}, "+"));
    if (symbol === "1") parts.push(typeset("mn", {}, whole(coefficient)));
    else {
      if (coefficient !== 1) parts.push(typeset("mn", {}, whole(coefficient)), typeset("mo", { rspace: "0.1em", lspace: "0" }, "\u2062"));
      parts.push(symbolMath(symbol));
    }
  });
  if (parts.length === 0) parts.push(typeset("mn", {}, "0"));
  return typeset("math", { "data-formula": formula.text, class: terms.length === 0 ? "none" : null }, typeset("mrow", {}, parts));
}

/** @param values of symbols by name, P among them. */
function evaluate(formula, values) {
  return sum(Object.entries(formula.terms).map(([symbol, coefficient]) =>
    coefficient * (symbol === "1" ? 1 : symbol === "P(P-1)" ? values.P * (values.P - 1) : values[symbol] ?? 0)));
}
