/** The whole service in this process, listening on a free port over a database of its own, for the contract tests. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { DestinationStream } from 'pino';
import { toConfig } from '../src/config/config.ts';
import { readEnvironment } from '../src/config/env.ts';
import { createLogger } from '../src/logger.ts';
import type { ConnectorSettings } from '../src/wiring/connectors.ts';
import { Service } from '../src/service.ts';
import { sendThroughClient } from './client/through-client.ts';
import { createTestDatabase } from './postgres.ts';

/** Whether requests are sent by the client, where it has a call for them (`npm run contract-through-client`). */
const BY_CLIENT = process.env['QUIRE_TEST_BY_CLIENT'] === 'true';

export const ROOT_KEY = 'the-root-key-of-the-tests';

export interface Detail {
  loc: (string | number)[];
  msg: string;
  type: string;
  input?: unknown;
  ctx?: Record<string, unknown>;
}

export interface TestAnswer<T> {
  status: number;
  headers: Headers;
  text: string;
  /** `data` of the envelope; undefined in errors and answers that are not JSON. */
  data: T;
  detail: Detail[];
}

export interface CallOptions {
  /** The root key by default; null for none. */
  key?: string | null;
  /** Sent as JSON. */
  json?: unknown;
  /** Raw body of the request. */
  body?: NonNullable<ConstructorParameters<typeof Response>[0]>;
  headers?: Record<string, string>;
}

export interface TestService {
  address: string;
  /** Folder of the search index (`index/`) and the stored files. */
  dataDir: string;
  connectionString: string;
  call<T = Record<string, unknown>>(method: string, url: string, options?: CallOptions): Promise<TestAnswer<T>>;
  stop(): Promise<void>;
}

export async function startTestService(
  settings: Record<string, string> = {},
  log?: DestinationStream,
  connectors: Partial<ConnectorSettings> = {},
): Promise<TestService> {
  const database = await createTestDatabase();
  const dataDir = await mkdtemp(path.join(tmpdir(), 'quire-contract-'));
  const environment = readEnvironment({
    QUIRE_PORT: '0',
    QUIRE_DATA_DIR: dataDir,
    QUIRE_DATABASE_URL: database.connectionString,
    QUIRE_SECRET_KEY: 'the-secret-key-of-the-tests',
    QUIRE_ROOT_KEY: ROOT_KEY,
    QUIRE_SAMPLE: 'false',
    QUIRE_MODEL_DOWNLOAD: 'false',
    QUIRE_PARSE_PROCESSES: '1',
    ...settings,
  });
  const logger =
    log === undefined ? createLogger({ level: 'silent' }) : createLogger({ level: 'trace', destination: log });
  const stopping = new AbortController();
  const service = await Service.open(toConfig(environment), logger, stopping.signal, connectors);
  const { address } = await service.start();
  return {
    address,
    dataDir,
    connectionString: database.connectionString,
    call: (method, url, options) => call(address, method, url, options),
    stop: async () => {
      stopping.abort();
      await service.stop();
      await database.drop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

async function call<T>(
  address: string,
  method: string,
  url: string,
  options: CallOptions = {},
): Promise<TestAnswer<T>> {
  const { key = ROOT_KEY, json, body, headers } = options;
  const sent = json === undefined ? body : JSON.stringify(json);
  const byClient =
    BY_CLIENT && body === undefined
      ? await sendThroughClient({ address, method, url, key, json, headers: headers ?? {} })
      : undefined;
  const response =
    byClient ??
    (await fetch(`${address}${url}`, {
      method,
      headers: { ...(key === null ? {} : { authorization: `Bearer ${key}` }), ...headers },
      ...(sent === undefined ? {} : { body: sent }),
    }));
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json') === true;
  const parsed = (isJson && text !== '' ? JSON.parse(text) : {}) as { data: T; detail: Detail[] };
  return { status: response.status, headers: response.headers, text, data: parsed.data, detail: parsed.detail };
}
