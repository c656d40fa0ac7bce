// What the views are made of: elements, and numbers as people read them. Text enters the page by textContent alone.

const byId = (id) => document.getElementById(id);

function element(name, { kind = "", text = "", ...properties } = {}, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  if (kind) made.className = kind;
  made.append(...(text === "" ? [] : [text]), ...children);
  return made;
}

const counted = (n, what) => `${n.toLocaleString("en")} ${what}${n === 1 ? "" : "s"}`;
// a probability is not shown as 0 or 1 unless it is
const probabilityText = (p) => p > 0 && p < 0.0005 ? "< 0.001" : p < 1 && p > 0.9995 ? "> 0.999" : p.toFixed(3);
const scoreText = (x) => Number.isFinite(x) ? x.toFixed(3).replace("-", "−") : x > 0 ? "∞" : "−∞";
const signedText = (x) => (x >= 0 ? "+" : "") + scoreText(x);
