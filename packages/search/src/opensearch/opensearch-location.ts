/** Reads the address of an OpenSearch cluster: `opensearch+https://user:pass@host1,host2/prefix?shards=&replicas=`. */

export interface OpenSearchLocation {
  /** Addresses of the nodes, without credentials. */
  nodes: string[];
  auth: { username: string; password: string } | null;
  /** Begins the names of all indexes. */
  prefix: string;
  shards: number;
  replicas: number;
  /** Whether all tables of the same dimensions share an index. */
  pool: boolean;
  /** Number of rows above which a table of a shared index should move to an index of its own. */
  poolRows: number;
}

/** The address names no cluster. Its message contains no password. */
export class OpenSearchLocationError extends Error {
  override readonly name = 'OpenSearchLocationError';
}

const ADDRESS = /^opensearch\+(https?):\/\/(?:([^@/]*)@)?([^/?@]+)(?:\/([^?]*))?(?:\?(.*))?$/;
const HOST = /^(?:\[[0-9a-f:]+\]|[a-z0-9._-]+)(?::\d{1,5})?$/i;
const PREFIX = /^[a-z0-9][a-z0-9_-]{0,63}$/;
const PARAMETERS: ReadonlySet<string> = new Set(['shards', 'replicas', 'pool', 'poolRows']);
const DEFAULT_PREFIX = 'quire';
const DEFAULT_PORT = 9200;
const DEFAULT_POOL_ROWS = 1_000_000;
const MAX_POOL_ROWS = 100_000_000;

export const isOpenSearchAddress = (address: string): boolean => address.startsWith('opensearch');

function fail(reason: string): never {
  throw new OpenSearchLocationError(reason);
}

/** Throws `OpenSearchLocationError`. */
export function parseOpenSearchLocation(address: string): OpenSearchLocation {
  const [, scheme = '', account, hosts = '', path = '', search = ''] = ADDRESS.exec(address) ?? [];
  if (scheme === '') fail('not an address such as opensearch+https://user:password@host1,host2/prefix');
  const query = new URLSearchParams(search);
  for (const name of query.keys()) if (!PARAMETERS.has(name)) fail(`there is no parameter '${name}'`);
  const prefix = path.replace(/\/$/, '') || DEFAULT_PREFIX;
  if (!PREFIX.test(prefix)) fail('the prefix has other characters than a-z 0-9 _ - or is too long');
  const pool = query.get('pool') ?? 'false';
  if (pool !== 'true' && pool !== 'false') fail('pool is not true or false');
  return {
    nodes: hosts.split(',').map((host) => nodeOf(scheme, host.trim())),
    auth: account === undefined ? null : accountOf(account),
    prefix,
    shards: numberOf(query, 'shards', 1, 1),
    replicas: numberOf(query, 'replicas', 0, 1),
    pool: pool === 'true',
    poolRows: numberOf(query, 'poolRows', 1, DEFAULT_POOL_ROWS, MAX_POOL_ROWS),
  };
}

function nodeOf(scheme: string, host: string): string {
  if (!HOST.test(host)) fail('a host is not a name or an address');
  return `${scheme}://${/:\d+$/.test(host) ? host : `${host}:${DEFAULT_PORT}`}`;
}

function accountOf(account: string): { username: string; password: string } {
  const [username = '', password = ''] = account.split(/:(.*)/s, 2);
  try {
    return { username: decodeURIComponent(username), password: decodeURIComponent(password) };
  } catch {
    return fail('the account is not encoded as in a URL');
  }
}

function numberOf(query: URLSearchParams, name: string, min: number, fallback: number, max = 1000): number {
  const value = Number(query.get(name) ?? fallback);
  return Number.isInteger(value) && value >= min && value <= max
    ? value
    : fail(`${name} is not a number from ${min} on`);
}
