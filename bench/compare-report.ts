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
  /** Figures of a plain method on the same texts, where the measurement has one. */
  baseline?: Record<string, number>;
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

export interface Compared {
  before: SetReport | null;
  after: SetReport | null;
  baseline: Record<string, number> | undefined;
}

const cell = (value: number | null | undefined): string =>
  value === undefined || value === null || Number.isNaN(value) ? '–' : String(value);

/** Returns the cells of a set from its figures on, with the questions whose outcome differs. */
export function rowsOf({ before, after, baseline }: Compared): { rows: string[]; changes: string } {
  const names = new Set([...Object.keys(after?.figures ?? {}), ...Object.keys(before?.figures ?? {})]);
  const rows = Array.from(
    names,
    (name) => `${name} | ${cell(before?.figures[name])} | ${cell(after?.figures[name])} | ${cell(baseline?.[name])} |`,
  );
  if (before === null || after === null) return { rows, changes: '' };
  const { better, worse, text } = changesOf(before.rows, after.rows);
  return { rows: [...rows, `questions better / worse | | ${better} / ${worse} | |`], changes: text };
}
