/** Sends the requests of attacks, and counts the statuses of their answers. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Answer, SendOptions } from './attack.ts';

const MAX_TEXT_BYTES = 1024 * 1024;
/** Pause after a request without an answer, so that a service that refuses connections is not flooded. */
const PAUSE_MS = 20;

/** The answers to one attack. */
export class Answers {
  readonly counts = new Map<number, number>();
  /** Requests without an answer: refused, reset or cut off connections. */
  unanswered = 0;
  /** The first inputs that were answered with a 5xx other than 503. */
  readonly failures = new Map<string, number>();

  note(status: number, input: string): void {
    this.counts.set(status, (this.counts.get(status) ?? 0) + 1);
    if (status >= 500 && status !== 503 && this.failures.size < 10) this.failures.set(input.slice(0, 120), status);
  }

  get text(): string {
    const counts = [...this.counts].toSorted(([a], [b]) => a - b).map(([status, count]) => `${count} × ${status}`);
    return [...counts, ...(this.unanswered > 0 ? [`${this.unanswered} unanswered`] : [])].join(', ');
  }
}

export const sender =
  (url: string, answers: Answers, signal: AbortSignal) =>
  async (method: string, path: string, options: SendOptions = {}): Promise<Answer | undefined> => {
    const { key, body, headers } = options;
    try {
      const response = await fetch(`${url}${path}`, {
        method,
        signal,
        headers: { ...(key == null ? {} : { authorization: `Bearer ${key}` }), ...headers },
        ...(body === undefined ? {} : { body }),
      });
      const text = await readText(response);
      answers.note(response.status, `${method} ${path} ${typeof body === 'string' ? body : ''}`);
      return { status: response.status, text };
    } catch {
      if (signal.aborted) return undefined;
      answers.unanswered += 1;
      await sleep(PAUSE_MS);
      return undefined;
    }
  };

/** Reads the whole answer and keeps its beginning. */
async function readText({ body }: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const piece of body ?? [])
    if (text.length < MAX_TEXT_BYTES) text += decoder.decode(piece, { stream: true });
  return text;
}
