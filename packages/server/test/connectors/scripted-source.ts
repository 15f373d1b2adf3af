/** A source in memory for tests of the engine: a kind whose trees, faults and calls a test controls. */
import type {
  Connector,
  ConnectorContext,
  Existence,
  FetchedFile,
  KnownFile,
  ListingPage,
  SourceEntry,
} from '@quire/connectors/connector';
import {
  CONNECTOR_KINDS,
  describeKind,
  type ConnectorDescriptor,
  type ConnectorKind,
} from '@quire/connectors/connector-descriptor';
import { MemoryConnector, MemorySource } from '@quire/connectors/testing/memory-connector';
import { z } from 'zod';

export class ScriptedSource extends MemorySource {
  /** Paths in the order in which they were fetched. */
  readonly fetches: string[] = [];
  /** Paths in the order in which they were verified. */
  readonly asked: string[] = [];
  /** Paths that listings leave out, although their files may exist. */
  readonly hidden = new Set<string>();
  /** Number of pages that were listed. */
  pages = 0;
  opened: Record<string, unknown>[] = [];
  /** Called before each page and each fetch; it may throw. */
  beforePage: (page: number, signal: AbortSignal) => Promise<void> | void = () => undefined;
  beforeFetch: (path: string, signal: AbortSignal) => Promise<void> | void = () => undefined;
  /** Called before each answer about one file; it may throw, and may give the answer itself. */
  beforeAnswer: (file: KnownFile, signal: AbortSignal) => Promise<Existence | void> | Existence | void = () =>
    undefined;
  /** Called before each test. */
  beforeTest: () => Promise<void> | void = () => undefined;
  /** Changes an entry of the listing. */
  describe: (entry: SourceEntry) => SourceEntry = (entry) => entry;
  /** Changes a page of the listing. */
  turn: (page: ListingPage) => ListingPage = (page) => page;
  maxPageEntries = 1000;

  put(path: string, text: string): void {
    this.write(path, Buffer.from(text));
  }
}

class ScriptedConnector extends MemoryConnector implements Connector {
  readonly #source: ScriptedSource;

  constructor(source: ScriptedSource, context: ConnectorContext) {
    super(source, { ...context, maxPageEntries: source.maxPageEntries });
    this.#source = source;
  }

  override async *list(resumeToken: string | null, signal: AbortSignal): AsyncGenerator<ListingPage> {
    const pages = super.list(resumeToken, signal);
    for (;;) {
      await this.#source.beforePage(this.#source.pages, signal);
      const next = await pages.next();
      if (next.done === true) return;
      this.#source.pages += 1;
      yield this.#source.turn({
        ...next.value,
        entries: next.value.entries
          .filter(({ path }) => !this.#source.hidden.has(path))
          .map((entry) => this.#source.describe(entry)),
      });
    }
  }

  override async exists(file: KnownFile, signal: AbortSignal): Promise<Existence> {
    const answer = await this.#source.beforeAnswer(file, signal);
    this.#source.asked.push(file.path);
    return answer ?? super.exists(file, signal);
  }

  override async test(signal: AbortSignal): Promise<readonly string[]> {
    await this.#source.beforeTest();
    return super.test(signal);
  }

  override async fetch(entry: SourceEntry, signal: AbortSignal): Promise<FetchedFile> {
    await this.#source.beforeFetch(entry.path, signal);
    this.#source.fetches.push(entry.path);
    return super.fetch(entry, signal);
  }
}

const config = z.strictObject({
  host: z.string(),
  folder: z.string().optional(),
  username: z.string().optional(),
  password: z.string().optional(),
});

/** Returns a kind that opens the source of the host in its configuration. */
export const scriptedKind = (sources: ReadonlyMap<string, ScriptedSource>): ConnectorDescriptor =>
  describeKind({
    kind: 'ftp',
    config,
    secretFields: ['password'],
    originFields: ['host'],
    open: (settings, context) => {
      const source = sources.get(settings.host);
      if (source === undefined) throw new Error(`there is no source '${settings.host}'`);
      source.opened.push(settings);
      return new ScriptedConnector(source, context);
    },
  });

/** Returns a registry in which `ftp` is the scripted kind and all others are not implemented. */
export const kindsWith = (
  sources: ReadonlyMap<string, ScriptedSource>,
): Record<ConnectorKind, ConnectorDescriptor | null> => {
  const none = Object.fromEntries(CONNECTOR_KINDS.map((kind) => [kind, null]));
  return { ...(none as Record<ConnectorKind, null>), ftp: scriptedKind(sources) };
};
