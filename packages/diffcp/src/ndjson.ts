import { DiffcpError, type Line } from './patch.ts';

/** Serialises one line with its line feed. JSON escapes line breaks in values, so the result is a single line. */
export function writeLine(line: Line): string {
  return `${JSON.stringify(line)}\n`;
}

/** Reads lines from a byte stream that arrives in arbitrary pieces. */
export class LineReader {
  readonly #decoder = new TextDecoder('utf-8', { fatal: true });
  #rest = '';

  /** Returns the lines that the piece completes. */
  push(piece: Uint8Array): Line[] {
    return this.#take(this.#decoder.decode(piece, { stream: true }));
  }

  /** Returns the last line at the end of the stream, which may lack its line feed. */
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

/** Yields the lines of a response body as they arrive. */
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
