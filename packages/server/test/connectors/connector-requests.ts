/** The service with sources in memory as the kind `ftp`, and the requests of section 10, for the contract tests. */
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { createCollection, createWorkspace, type AnyRecord, type TestWorkspace } from '../factories.ts';
import { startTestService, type TestAnswer, type TestService } from '../server.ts';
import { kindsWith, ScriptedSource } from './scripted-source.ts';

export interface Sync {
  id: string;
  connectorId: string;
  status: string;
  phase: string | null;
  counts: Record<string, number>;
  changes: { path: string; change: string; reason: string | null }[];
  error: { type: string; message: string } | null;
}
interface List<T> {
  items: T[];
  total: number;
  cursor: string | null;
}
export type Item = AnyRecord & {
  path: string;
  status: string;
  documentId: string;
  error: { type: string; message: string } | null;
};

export class ConnectorRequests {
  readonly service: TestService;
  readonly workspace: TestWorkspace;
  readonly sources = new Map<string, ScriptedSource>();
  /** New in each test, as are the collection and the host in the configuration. */
  source = new ScriptedSource();
  collection: AnyRecord & { url: string } = { id: '', url: '' };
  host = '';

  constructor(service: TestService, workspace: TestWorkspace, sources: Map<string, ScriptedSource>) {
    this.service = service;
    this.workspace = workspace;
    this.sources = sources;
  }

  async renew(): Promise<void> {
    this.host = `source-${this.sources.size + 1}`;
    this.source = new ScriptedSource();
    this.sources.set(this.host, this.source);
    this.collection = await createCollection(this.service, this.workspace);
  }

  call<T = AnyRecord>(method: string, path: string, json?: unknown, key?: string): Promise<TestAnswer<T>> {
    return this.service.call<T>(method, `${this.workspace.url}${path}`, {
      key: key ?? this.workspace.admin,
      ...(json === undefined ? {} : { json }),
    });
  }

  /** Creates a connector to the source and returns its path. */
  async connect(fields: Record<string, unknown> = {}): Promise<string> {
    const json = {
      collectionId: this.collection.id,
      name: 'Files',
      kind: 'ftp',
      config: { host: this.host },
      ...fields,
    };
    const answer = await this.call('POST', '/connectors', json);
    if (answer.status !== 201) throw new Error(answer.text);
    return `/connectors/${answer.data.id}`;
  }

  /** Runs a synchronisation to its end. */
  async sync(connector: string, query = ''): Promise<Sync> {
    const started = await this.call<Sync>('POST', `${connector}/sync${query}`);
    if (started.status !== 202) throw new Error(started.text);
    return this.ended(connector, started.data.id);
  }

  async ended(connector: string, id: string): Promise<Sync> {
    return (await this.call<Sync>('GET', `${connector}/syncs/${id}?wait=60`)).data;
  }

  async items(connector: string, query = ''): Promise<Item[]> {
    return (await this.call<List<Item>>('GET', `${connector}/items${query}`)).data.items;
  }

  async documents(): Promise<AnyRecord[]> {
    return (await this.call<List<AnyRecord>>('GET', `/col/${this.collection.id}/docs`)).data.items;
  }

  /** Returns the sorted names of the documents that are not deleted. */
  async names(): Promise<unknown[]> {
    return (await this.documents()).map(({ name }) => name).toSorted();
  }
}

/** Maximum duration of a test of a source, in ms. */
export const TEST_MS = 2_000;

/** Starts one service for the tests of a file; each test has a source and a collection of its own. */
export function useConnectorRequests(settings: () => Record<string, string> = () => ({})): () => ConnectorRequests {
  let requests: ConnectorRequests;
  beforeAll(async () => {
    const sources = new Map<string, ScriptedSource>();
    const service = await startTestService(settings(), undefined, {
      kinds: kindsWith(sources),
      scheduleMs: 50,
      testMs: TEST_MS,
      retryDelayMs: () => 1,
      sourceDelayMs: () => 1,
    });
    requests = new ConnectorRequests(service, await createWorkspace(service), sources);
  });
  afterAll(() => requests.service.stop());
  beforeEach(() => requests.renew());
  return () => requests;
}

/** Returns a promise that is pending until `open` is called. */
export function gate(): { closed: Promise<void>; open: () => void } {
  let open = (): void => undefined;
  const closed = new Promise<void>((resolve) => (open = resolve));
  return { closed, open };
}

/** Returns all counters of a synchronisation; those that are not named are 0. */
export const counts = (changes: Record<string, number>): Record<string, number> => ({
  listed: 0,
  added: 0,
  updated: 0,
  unchanged: 0,
  skipped: 0,
  deleted: 0,
  failed: 0,
  ...changes,
});
