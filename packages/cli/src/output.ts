/** Writes answers to stdout and progress to stderr: text for people, one JSON object per line for programs. */
import { styleText } from 'node:util';

type Style = Parameters<typeof styleText>[0];

export interface Stream {
  write(text: string): unknown;
  isTTY?: boolean | undefined;
  columns?: number | undefined;
}

export interface OutputOptions {
  stdout: Stream;
  stderr: Stream;
  /** True for JSON lines, false for text; by default JSON lines unless stdout is a terminal. */
  json?: boolean | undefined;
  env: Record<string, string | undefined>;
}

const DEFAULT_WIDTH = 80;

export class Output {
  readonly isJson: boolean;
  /** Whether stdout is a terminal. */
  readonly isTerminal: boolean;
  /** Whether stderr is a terminal, so that a progress line can be rewritten. */
  readonly isInteractive: boolean;
  readonly width: number;
  readonly #stdout: Stream;
  readonly #stderr: Stream;
  readonly #coloured: boolean;
  #progressLength = 0;

  constructor({ stdout, stderr, json, env }: OutputOptions) {
    this.#stdout = stdout;
    this.#stderr = stderr;
    this.isTerminal = stdout.isTTY === true;
    this.isJson = json ?? stdout.isTTY !== true;
    this.isInteractive = stderr.isTTY === true && env['TERM'] !== 'dumb';
    // A terminal without a size, such as that of `script` in a pipe, reports 0 columns.
    this.width = stdout.columns === undefined || stdout.columns < 1 ? DEFAULT_WIDTH : stdout.columns;
    this.#coloured = stdout.isTTY === true && (env['NO_COLOR'] ?? '') === '' && env['TERM'] !== 'dumb';
  }

  /** Writes a record: as one line of JSON, or as the text. */
  record(value: unknown, text: string): void {
    this.text(this.isJson ? `${JSON.stringify(value)}\n` : `${text}\n`);
  }

  /** Writes text to stdout as it is. */
  text(text: string): void {
    this.clearProgress();
    this.#stdout.write(text);
  }

  /** Writes a line to stderr. */
  note(text: string): void {
    this.clearProgress();
    this.#stderr.write(`${text}\n`);
  }

  /** Rewrites the progress line; writes nothing if stderr is not a terminal. */
  progress(text: string): void {
    if (!this.isInteractive) return;
    const line = text.slice(0, Math.max(1, this.width - 1));
    this.#stderr.write(`\r${line.padEnd(this.#progressLength)}`);
    this.#progressLength = line.length;
  }

  clearProgress(): void {
    if (this.#progressLength === 0) return;
    this.#stderr.write(`\r${' '.repeat(this.#progressLength)}\r`);
    this.#progressLength = 0;
  }

  style(style: Style, text: string): string {
    return this.#coloured ? styleText(style, text, { validateStream: false }) : text;
  }
}

/** Lays rows out in columns of two spaces' distance; the last column is cut to the width. */
export function columns(rows: readonly (readonly string[])[], width: number): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)));
  return rows
    .map((row) => {
      const line = row.map((cell, column) => (column === row.length - 1 ? cell : cell.padEnd(widths[column] ?? 0)));
      const text = line.join('  ').trimEnd();
      return text.length > width ? `${text.slice(0, width - 1)}…` : text;
    })
    .join('\n');
}

/** Returns a count with its noun: `1 hit`, `2 hits`. */
export const counted = (count: number, noun: string, plural = `${noun}s`): string =>
  `${count} ${count === 1 ? noun : plural}`;

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'];

export function formatBytes(bytes: number): string {
  const unit = Math.min(UNITS.length - 1, bytes < 1 ? 0 : Math.floor(Math.log10(bytes) / 3));
  const value = bytes / 1000 ** unit;
  return `${value < 10 && unit > 0 ? value.toFixed(1) : Math.round(value)} ${UNITS[unit]}`;
}

/** Returns text without control characters: names and contents of documents must not steer the terminal. */
export const printable = (text: string): string =>
  // oxlint-disable-next-line no-control-regex -- control characters are what is removed
  text.replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/gu, '');
