/** The same short run at each point of a sweep: uploads, a replacement, a deletion, a processing run, a question. */
import { setTimeout as delay } from 'node:timers/promises';
import type { ChatHistory } from '../chats.ts';
import { DocumentHistory, type Acknowledged } from '../documents.ts';
import { isUnexpected } from '../history.ts';
import { Random } from '../random.ts';
import { RunHistory } from '../runs.ts';
import type { Workspace } from '../workspace.ts';

export interface RunPlace {
  workspace: Workspace;
  collection: string;
  chats: ChatHistory;
}

/** Documents of one run have numbers below this. */
const NUMBERS = 10;
const LONGEST_MS = 60_000;

export class ScriptedRun {
  readonly documents: DocumentHistory;
  readonly #runs: RunHistory;
  readonly #chats: ChatHistory;
  readonly #faults: string[] = [];
  readonly #signal: AbortSignal;

  /** `number` counts the runs of a system. The run ends early when the signal is aborted. */
  constructor({ workspace, collection, chats }: RunPlace, number: number, signal: AbortSignal) {
    this.documents = new DocumentHistory(workspace, new Random(number), collection, number * NUMBERS);
    this.#runs = new RunHistory(workspace, `sweep-${number}`);
    this.#chats = chats;
    this.#signal = signal;
  }

  /** Sends each request once; a request that fails promises nothing. */
  async perform(): Promise<void> {
    const text = await this.#attempt(() => this.documents.upload());
    const long = await this.#attempt(() => this.documents.upload());
    const pdf = await this.#attempt(() => this.documents.uploadPdf());
    for (const each of [text, long, pdf]) await this.#untilEnded(each);
    if (text !== undefined) await this.#attempt(() => this.documents.replace(text));
    if (long !== undefined) await this.#attempt(() => this.documents.delete(long));
    await this.#attempt(() => this.#runs.act());
    await this.#attempt(() => this.#chats.act());
    await this.#untilEnded(text);
  }

  async #attempt<T>(request: () => Promise<T>): Promise<T | undefined> {
    if (this.#signal.aborted) return undefined;
    try {
      return await request();
    } catch (error) {
      if (isUnexpected(error)) this.#faults.push(`unexpected answer: ${error.message}`);
      return undefined;
    }
  }

  async #untilEnded(document: Acknowledged | undefined): Promise<void> {
    if (document === undefined) return;
    const until = performance.now() + LONGEST_MS;
    while (!this.#signal.aborted && performance.now() < until) {
      if ((await this.#attempt(() => this.documents.hasEnded(document))) === true) return;
      await delay(50);
    }
  }

  /** Returns the broken promises. */
  async check(until: number): Promise<string[]> {
    return [...this.#faults, ...(await this.documents.check(until)), ...(await this.#runs.check(until))];
  }
}
