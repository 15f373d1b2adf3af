/** The clients of a chaos run: two workspaces whose acknowledged work is recorded, and the check of all promises. */
import { setTimeout as delay } from 'node:timers/promises';
import { ChatHistory } from './chats.ts';
import { DocumentHistory } from './documents.ts';
import { EventHistory } from './events.ts';
import type { Random } from './random.ts';
import { RunHistory } from './runs.ts';
import type { System } from './system.ts';
import { Refused, sharedIds, Workspace } from './workspace.ts';

interface Part {
  workspace: Workspace;
  documents: DocumentHistory;
  runs: RunHistory;
  chats: ChatHistory;
  events: EventHistory;
}

export type Counts = Record<'documents' | 'runs' | 'answers' | 'event streams' | 'resets', number>;

/** Statuses of failures that a client may see during a fault; any other one is a broken promise. */
const EXPECTED: ReadonlySet<number> = new Set([409, 429, 502, 503, 507]);

export const isUnexpected = (error: unknown): error is Refused =>
  error instanceof Refused && !EXPECTED.has(error.status);

export class History {
  readonly #system: System;
  readonly #parts: readonly Part[];
  readonly #faults = new Set<string>();

  private constructor(system: System, parts: readonly Part[]) {
    this.#system = system;
    this.#parts = parts;
  }

  static async start(system: System, random: Random): Promise<History> {
    const parts: Part[] = [];
    for (const name of ['one', 'two']) {
      const workspace = await Workspace.create(system, name);
      const { id } = await workspace.request<{ id: string }>('POST', '/col', { name });
      const chats = await ChatHistory.start(workspace, id, system.provider);
      const documents = new DocumentHistory(workspace, random, id);
      parts.push({ workspace, documents, runs: new RunHistory(workspace), chats, events: new EventHistory(workspace) });
    }
    return new History(system, parts);
  }

  /** Counts of acknowledged work, and of connections to the live events. */
  get counts(): Counts {
    const sum = (count: (part: Part) => number): number => this.#parts.reduce((total, part) => total + count(part), 0);
    return {
      documents: sum(({ documents }) => documents.acknowledged),
      runs: sum(({ runs }) => runs.acknowledged),
      answers: sum(({ chats }) => chats.answered),
      'event streams': sum(({ events }) => events.connections),
      resets: sum(({ events }) => events.resets),
    };
  }

  /** Works with several clients until the signal is aborted. Failed requests promise nothing. */
  async load(signal: AbortSignal): Promise<void> {
    const client = async (act: () => Promise<void>): Promise<void> => {
      while (!signal.aborted) await act().catch((error: unknown) => this.#noteFailure(error));
    };
    const clients = this.#parts.flatMap(({ documents, runs, chats }) => [
      client(() => documents.act()),
      client(() => documents.act()),
      client(async () => {
        await runs.act();
        await chats.act();
      }),
    ]);
    await Promise.all(clients);
  }

  async #noteFailure(error: unknown): Promise<void> {
    if (isUnexpected(error)) this.#faults.add(`unexpected answer: ${error.message}`);
    await delay(100);
  }

  /** Uploads a document and waits until it is ready; rejects after `limitMs`. Returns the time it took, in ms. */
  async probe(limitMs: number): Promise<number> {
    const [part] = this.#parts;
    if (part === undefined) throw new Error('There is no workspace');
    try {
      return await part.documents.probe(limitMs);
    } catch (error) {
      const readiness = JSON.stringify(await this.#system.service.readiness().catch(String));
      throw new Error(`${readiness}\n${await this.#system.sessions()}`, { cause: error });
    }
  }

  /** Waits until everything acknowledged has ended, and returns the broken promises. */
  async check(limitMs: number): Promise<string[]> {
    const until = performance.now() + limitMs;
    const faults = [...this.#faults];
    for (const { documents, runs, chats, events } of this.#parts) {
      faults.push(...(await documents.check(until)));
      faults.push(...(await runs.check(until)));
      faults.push(...(await chats.check(until)));
      faults.push(...(await events.check(documents.states(), until)));
    }
    // Positions in the events expire by the time, so only a clock that jumps may make them unreadable.
    const { resets } = this.counts;
    if (resets > 0 && !this.#system.options.hasClock) faults.push(`events: ${resets} streams began again with a reset`);
    const [one, other] = this.#parts;
    if (one !== undefined && other !== undefined) faults.push(...sharedIds(one.workspace, other.workspace));
    faults.push(...(await this.#system.unfinishedJobs(until)));
    return faults;
  }

  async close(): Promise<void> {
    await Promise.all(this.#parts.map(({ events }) => events.close()));
  }
}
