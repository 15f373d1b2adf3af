/** A generated source of many objects, for measuring the engine: nothing of it is held in memory. */
import { hash } from 'node:crypto';
import { Readable } from 'node:stream';
import type {
  Connector,
  ConnectorContext,
  Existence,
  FetchedFile,
  KnownFile,
  ListingPage,
  SourceEntry,
} from '@quire/connectors/connector';
import { describeKind } from '@quire/connectors/connector-descriptor';
import { z } from 'zod';
import type { ConnectorKinds } from '../../src/domain/connectors/types.ts';

/** Every 1,000th object is new, and every 1,000th known one is gone. */
export const CHANGED_EACH = 1000;

const pathOf = (at: number): string =>
  `folder ${String(Math.floor(at / 1000)).padStart(5, '0')}/object ${String(at).padStart(9, '0')}.txt`;

const isGone = (at: number): boolean => at % CHANGED_EACH === 1;

const versionOf = (at: number): string => hash('md5', String(at), 'hex');

/** Number of objects that this process has listed. */
export const progress = { listed: 0 };

class GeneratedConnector implements Connector {
  readonly #count: number;
  readonly #context: ConnectorContext;

  constructor(count: number, context: ConnectorContext) {
    this.#count = count;
    this.#context = context;
  }

  /** The resume token is the number of the next object. */
  async *list(resumeToken: string | null, signal: AbortSignal): AsyncGenerator<ListingPage> {
    const { maxPageEntries } = this.#context;
    for (let at = Number(resumeToken ?? 0); ;) {
      signal.throwIfAborted();
      const entries: SourceEntry[] = [];
      for (; entries.length < maxPageEntries && at < this.#count; at += 1) {
        if (!isGone(at)) entries.push({ path: pathOf(at), version: versionOf(at), sizeBytes: 100 });
      }
      progress.listed += entries.length;
      const isLast = at >= this.#count;
      const completeFolders = isLast ? [''] : [];
      yield { entries, resumeToken: isLast ? null : String(at), completeFolders, failures: [] };
      if (isLast) return;
    }
  }

  async fetch({ path, version }: SourceEntry): Promise<FetchedFile> {
    return { version, body: Readable.from([Buffer.from(`content of ${path}`)]) };
  }

  async exists({ path }: KnownFile): Promise<Existence> {
    return isGone(Number(/(\d+)\.txt$/.exec(path)?.[1])) ? 'absent' : 'present';
  }

  async test(): Promise<readonly string[]> {
    return [];
  }

  async close(): Promise<void> {}
}

/** This source is the kind `ftp`; its configuration has the number of objects. */
export const GENERATED_KINDS: ConnectorKinds = {
  ftp: describeKind({
    kind: 'ftp',
    config: z.strictObject({ count: z.number() }),
    secretFields: [],
    originFields: [],
    open: ({ count }, context) => new GeneratedConnector(count, context),
  }),
};
