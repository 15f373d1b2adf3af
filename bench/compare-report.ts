/** Reports of measurements, and the questions whose outcome differs between two of them. */

/** One question. `score` (0..1) is comparable between versions; the other fields are for the reader. */
export interface QuestionRow {
  id: string;
  score: number;
  question?: string;
  answer?: unknown;
  gold?: unknown;
}

export interface SetReport {
  figures: Record<string, number>;
  rows: QuestionRow[];
}

/** Difference of scores above which an outcome counts as changed. */
const MIN_CHANGE = 1e-6;

const shown = (value: unknown): string =>
  (typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).replaceAll(/\s+/gu, ' ');

/** Returns the questions with another score as Markdown, the greatest loss first. */
export function changesOf(
  before: readonly QuestionRow[],
  after: readonly QuestionRow[],
): { better: number; worse: number; text: string } {
  const was = new Map(before.map((row) => [row.id, row]));
  const changed = after
    .flatMap((row) => {
      const old = was.get(row.id);
      return old === undefined ? [] : [{ old, row, change: row.score - old.score }];
    })
    .filter(({ change }) => Math.abs(change) > MIN_CHANGE)
    .toSorted((a, b) => a.change - b.change);
  const lines = changed.map(({ old, row }) =>
    [
      `## ${row.id}: ${old.score.toFixed(3)} → ${row.score.toFixed(3)}`,
      ...(row.question === undefined ? [] : [`Question: ${row.question}`]),
      ...(row.gold === undefined ? [] : [`Gold: ${shown(row.gold)}`]),
      ...(row.answer === undefined ? [] : [`Before: ${shown(old.answer)}`, `After: ${shown(row.answer)}`]),
    ].join('\n\n'),
  );
  return {
    better: changed.filter(({ change }) => change > 0).length,
    worse: changed.filter(({ change }) => change < 0).length,
    text: `${lines.join('\n\n')}\n`,
  };
}
