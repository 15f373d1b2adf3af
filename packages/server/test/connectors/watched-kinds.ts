/** The kinds of the service, with their calls counted and with downloads that a test cuts. */
import type {
  Connector,
  ConnectorContext,
  Existence,
  FetchedFile,
  KnownFile,
  ListingPage,
  SourceEntry,
} from '@quire/connectors/connector';
import { ItemFailed } from '@quire/connectors/connector-error';
import type { ConnectorKinds } from '../../src/domain/connectors/types.ts';

export class WatchedKinds {
  /** Paths of the downloads, in their order. */
  readonly fetches: string[] = [];
  /** Maximum number of files in a page. */
  maxPageEntries = 1000;
  /** Paths whose downloads are cut. */
  cut: ReadonlySet<string> = new Set();
  readonly kinds: ConnectorKinds;

  constructor(kinds: ConnectorKinds) {
    const watched = Object.entries(kinds).map(([name, kind]) => [
      name,
      kind && {
        ...kind,
        open: (config: unknown, context: ConnectorContext) => {
          const opened = kind.open(config, { ...context, maxPageEntries: this.maxPageEntries });
          return new WatchedConnector(opened, this);
        },
      },
    ]);
    this.kinds = Object.fromEntries(watched) as ConnectorKinds;
  }
}

class WatchedConnector implements Connector {
  readonly #connector: Connector;
  readonly #watched: WatchedKinds;

  constructor(connector: Connector, watched: WatchedKinds) {
    this.#connector = connector;
    this.#watched = watched;
  }

  list(resumeToken: string | null, signal: AbortSignal): AsyncIterable<ListingPage> {
    return this.#connector.list(resumeToken, signal);
  }

  async fetch(entry: SourceEntry, signal: AbortSignal): Promise<FetchedFile> {
    const file = await this.#connector.fetch(entry, signal);
    this.#watched.fetches.push(entry.path);
    if (this.#watched.cut.has(entry.path)) {
      file.body.destroy(new ItemFailed(entry.path, 'network', 'the connection was cut'));
    }
    return file;
  }

  exists(file: KnownFile, signal: AbortSignal): Promise<Existence> {
    return this.#connector.exists(file, signal);
  }

  test(signal: AbortSignal): Promise<readonly string[]> {
    return this.#connector.test(signal);
  }

  close(): Promise<void> {
    return this.#connector.close();
  }
}
