/** Logistic regression with a ridge, isotonic calibration, and their errors. */

export interface Row {
  /** The first value is 1, for the intercept. */
  x: readonly number[];
  y: number;
  weight?: number;
}

export interface Scored {
  score: number;
  y: number;
  weight: number;
}

const sigmoid = (logit: number): number => 1 / (1 + Math.exp(-logit));
export const dot = (a: readonly number[], b: readonly number[]): number =>
  a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0);

/** Fits by Newton's method. The ridge does not apply to the intercept beyond what keeps the system solvable. */
export function fitLogistic(rows: readonly Row[], ridge: number): number[] {
  const size = rows[0]?.x.length ?? 0;
  let w = Array<number>(size).fill(0);
  const ridgeOf = (index: number): number => (index === 0 ? Math.min(ridge, 0.01) : ridge);
  for (let step = 0; step < 25; step += 1) {
    const gradient = w.map((value, index) => -ridgeOf(index) * value);
    const hessian = w.map((_, row) => w.map((__, column): number => (row === column ? ridgeOf(row) : 0)));
    for (const { x, y, weight = 1 } of rows) {
      const p = sigmoid(dot(x, w));
      for (const [row, left] of x.entries()) {
        gradient[row] = (gradient[row] ?? 0) + weight * (y - p) * left;
        const line = hessian[row] ?? [];
        for (const [column, right] of x.entries())
          line[column] = (line[column] ?? 0) + weight * p * (1 - p) * left * right;
      }
    }
    const change = solve(hessian, gradient);
    w = w.map((value, index) => value + (change[index] ?? 0));
  }
  return w;
}

/** Solves a positive definite system by elimination. */
function solve(matrix: readonly (readonly number[])[], right: readonly number[]): number[] {
  const rows = matrix.map((row, index) => [...row, right[index] ?? 0]);
  for (const [at, pivot] of rows.entries()) {
    const scale = pivot[at] ?? 1;
    for (const [column, value] of pivot.entries()) pivot[column] = value / scale;
    for (const [other, row] of rows.entries()) {
      const factor = row[at] ?? 0;
      if (other === at) continue;
      for (const [column, value] of pivot.entries()) row[column] = (row[column] ?? 0) - factor * value;
    }
  }
  return rows.map((row) => row.at(-1) ?? 0);
}

/** Returns the steps of the isotonic regression: mean score and share of positives of each pool, by ascending score. */
export function isotonic(scored: readonly Scored[]): [score: number, share: number][] {
  const pools: { score: number; sum: number; weight: number }[] = [];
  for (const { score, y, weight } of scored.toSorted((a, b) => a.score - b.score)) {
    pools.push({ score: score * weight, sum: y * weight, weight });
    for (;;) {
      const [before, last] = pools.slice(-2);
      if (before === undefined || last === undefined || before.sum / before.weight < last.sum / last.weight) break;
      pools.splice(-2, 2, {
        score: before.score + last.score,
        sum: before.sum + last.sum,
        weight: before.weight + last.weight,
      });
    }
  }
  return pools.map(({ score, sum, weight }) => [score / weight, sum / weight]);
}

/** Returns the expected calibration error over ten equal bins; `score` is a probability. */
export function calibrationError(scored: readonly Scored[]): number {
  const total = weightOf(scored);
  return binsOf(scored).reduce((sum, bin) => {
    const gap = bin.reduce((difference, { score, y, weight }) => difference + weight * (score - y), 0);
    return sum + Math.abs(gap) / total;
  }, 0);
}

/**
 * Returns the expected calibration error that answers of these scores would have by chance if each were right with the
 * probability of its score. The gap of a bin is then about normal with mean 0, whose mean absolute value is √(2/π)
 * times its deviation.
 */
export function chanceError(scored: readonly Scored[]): number {
  const total = weightOf(scored);
  return binsOf(scored).reduce((sum, bin) => {
    const variance = bin.reduce((all, { score, weight }) => all + weight ** 2 * score * (1 - score), 0);
    return sum + Math.sqrt((2 / Math.PI) * variance) / total;
  }, 0);
}

const weightOf = (scored: readonly Scored[]): number => scored.reduce((sum, { weight }) => sum + weight, 0);

/** Sorts the scored answers into ten equal ranges of probability. */
const binsOf = (scored: readonly Scored[]): Scored[][] =>
  Array.from({ length: 10 }, (_, bin) => scored.filter(({ score }) => Math.min(9, Math.floor(score * 10)) === bin));
