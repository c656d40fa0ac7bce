// Sums and logarithms in the order, and to the bits, of the Python package.

function runningSum(numbers) {
  let sum = 0;
  for (const x of numbers) sum += x;
  return sum;
}

// sum of a[i] b[columns[i]]
function dotAt(a, b, columns) {
  let sum = 0;
  for (let i = 0; i < columns.length; i++) sum += a[i] * b[columns[i]];
  return sum;
}

// numpy's sum of a stretch: eight sums side by side, halves of what is longer than 128.
function pairwiseSum(a, from, n) {
  if (n < 8) return runningSum(a.subarray(from, from + n));
  if (n > 128) {
    const half = (n >> 1) - (n >> 1) % 8;
    return pairwiseSum(a, from, half) + pairwiseSum(a, from + half, n - half);
  }
  const r = a.slice(from, from + 8), whole = n - n % 8;
  for (let i = 8; i < whole; i++) r[i % 8] += a[from + i];
  const sum = ((r[0] + r[1]) + (r[2] + r[3])) + ((r[4] + r[5]) + (r[6] + r[7]));
  return runningSum([sum, ...a.subarray(from + whole, from + n)]);
}

// The factor that makes a vector one of Euclidean length 1; 1 for a vector of nothing but 0.
const lengthFactor = (squares) => 1 / (Math.sqrt(squares) > 0 ? Math.sqrt(squares) : 1);

const scaled = (numbers, factor) => numbers.map((x) => x * factor);

// log and log1p of whole numbers: of small ones as numpy gives them, since browsers may differ in the last bit.
class Logarithms {
  constructor(payload) {
    this.logs = payload.array("logs");
    this.logs1p = payload.array("logs1p");
  }

  log(n) { return n < this.logs.length ? this.logs[n] : Math.log(n); }
  log1p(n) { return n < this.logs1p.length ? this.logs1p[n] : Math.log1p(n); }
}
