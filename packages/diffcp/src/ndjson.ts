import { DiffcpError, type Line } from './patch.ts';

/** One line with its line feed. JSON escapes line breaks within values, so a line is a line. */
export function writeLine(line: Line): string {
  return `${JSON.stringify(line)}\n`;
}

/** Reads lines out of pieces of a byte stream, however it is cut. */
export class LineReader {
  readonly #decoder = new TextDecoder('utf-8', { fatal: true });
  #rest = '';

  /** The lines that the piece completes. */
  push(piece: Uint8Array): Line[] {
    return this.#take(this.#decoder.decode(piece, { stream: true }));
  }

  /** At the end of the stream: a last line without its line feed. */
  end(): Line[] {
    const lines = this.#take(this.#decoder.decode());
    const last = this.#rest.trim();
    this.#rest = '';
    return last === '' ? lines : [...lines, parseLine(last)];
  }

  #take(text: string): Line[] {
    const parts = (this.#rest + text).split('\n');
    this.#rest = parts.pop() ?? '';
    return parts.filter((part) => part.trim() !== '').map(parseLine);
  }
}

/** The lines of a response's body, as they come. */
export async function* readLines(body: ReadableStream<Uint8Array>): AsyncGenerator<Line> {
  const lines = new LineReader();
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      yield* lines.push(value);
    }
    yield* lines.end();
  } finally {
    reader.releaseLock();
  }
}

function parseLine(text: string): Line {
  let line: unknown;
  try {
    line = JSON.parse(text);
  } catch (error) {
    throw new DiffcpError(`not JSON: ${text.slice(0, 80)}`, { cause: error });
  }
  if (!isLine(line)) throw new DiffcpError(`not a diffcp line: ${text.slice(0, 80)}`);
  return line;
}

function isLine(value: unknown): value is Line {
  if (typeof value !== 'object' || value === null) return false;
  const { seq, ops } = value as Partial<Line>;
  return Number.isSafeInteger(seq) && Array.isArray(ops);
}
