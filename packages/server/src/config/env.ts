/**
 * Defines and reads all `QUIRE_…` settings. The table in `docs/guide/settings.md` is generated from `settings`. All
 * problems are reported at once, by name.
 */
import { isIP } from 'node:net';
import { z } from 'zod';

const port = z.coerce.number().int().min(0).max(65_535);
const bytes = z.coerce.number().int().min(1);
const count = z.coerce.number().int().min(1);
const flag = z.enum(['true', 'false', '1', '0']).transform((value) => value === 'true' || value === '1');
const list = z.string().transform((value) =>
  value
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== ''),
);

/** Removes a trailing slash; the empty path stays empty. */
const basePath = z
  .string()
  .transform((value) => value.replace(/\/$/, ''))
  .refine((value) => /^(?:\/[A-Za-z0-9._~-]+){0,8}$/.test(value) && !/\/\.{1,2}(?:\/|$)/.test(value), {
    message: "not a path such as '/quire'",
  });

/** A number of proxies, or a list of addresses and CIDRs. */
const trustedProxies = list.refine(
  (entries) =>
    (entries.length === 1 && /^[1-9]\d?$/.test(entries[0] ?? '')) || (isAllowList(entries) && entries.every(isAddress)),
  { message: 'not a number of proxies or a list of addresses and CIDRs' },
);

const isAddress = (entry: string): boolean => isIP(entry.split('/')[0] ?? '') !== 0;

const HOST_NAME = /^[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?)*$/i;

/** Matches `host:port` and `[IPv6 address]:port`. */
const WITH_PORT = /^(?:\[([^\]]+)\]|([^:]+)):(\d{1,5})$/;

/** Accepts what `isAllowList` does, and such entries with a port. */
function isNetworkList(entries: readonly string[]): boolean {
  return entries.every((entry) => {
    const [, ipv6, host = ipv6, port] = isIP(entry) === 6 ? [] : (WITH_PORT.exec(entry) ?? []);
    if (host === undefined) return isAllowList([entry]);
    return (
      Number(port) >= 1 && Number(port) <= 65_535 && (ipv6 === undefined || isIP(ipv6) === 6) && isAllowList([host])
    );
  });
}

function isAllowList(entries: readonly string[]): boolean {
  return entries.every((entry) => {
    const [address = '', prefix, ...more] = entry.split('/');
    const bits = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
    if (prefix === undefined) return bits > 0 || HOST_NAME.test(entry);
    return more.length === 0 && /^\d{1,3}$/.test(prefix) && Number(prefix) <= bits;
  });
}

const settings = {
  QUIRE_PORT: port.default(8080).describe('Port of the HTTP server; 0 takes a free one'),
  QUIRE_HOST: z.string().default('127.0.0.1').describe('Address the HTTP server listens on'),
  QUIRE_BASE_PATH: basePath
    .default('')
    .describe('Path under which a reverse proxy serves this service, such as `/quire`; it precedes every address'),
  QUIRE_TRUST_PROXY: trustedProxies
    .default([])
    .describe(
      'Reverse proxies whose `X-Forwarded-*` headers are trusted: their number, or addresses and CIDRs, separated by commas',
    ),
  QUIRE_TLS_CERT_FILE: z
    .string()
    .optional()
    .describe('Certificate chain (PEM) to serve HTTPS with; read again when the file changes'),
  QUIRE_TLS_KEY_FILE: z.string().optional().describe('Private key (PEM) of `QUIRE_TLS_CERT_FILE`'),
  QUIRE_DATA_DIR: z.string().min(1).default('./data').describe('Folder of all data that is not in an external service'),
  QUIRE_ROLE: z
    .enum(['all', 'api', 'worker'])
    .default('all')
    .describe('Role of this process; `api` and `worker` need `QUIRE_DATABASE_URL`'),
  QUIRE_DATABASE_URL: z
    .url({ protocol: /^postgres(ql)?$/ })
    .optional()
    .describe('PostgreSQL 14 or newer to use instead of the embedded one'),
  QUIRE_STATEMENT_TIMEOUT_SECONDS: z.coerce
    .number()
    .min(0)
    .max(86_400)
    .default(30)
    .describe(
      'Time after which PostgreSQL cancels a statement of a request, which is then answered with 503 `timeout`; 0 for no limit',
    ),
  QUIRE_FILTER_TIMEOUT_SECONDS: z.coerce
    .number()
    .min(0)
    .max(86_400)
    .default(5)
    .describe(
      'Time after which PostgreSQL cancels a statement that evaluates the filter of a request or a token, which is then answered with 503 `timeout`; 0 for the limit of other statements',
    ),
  QUIRE_STORAGE_URL: z
    .string()
    .optional()
    .describe(
      'Folder, `file://` URL or `s3://bucket/prefix` of originals and artifacts (default: in the data directory); see the guide to deployment for the parameters of S3',
    ),
  QUIRE_STORAGE_CACHE_BYTES: z.coerce
    .number()
    .int()
    .min(0)
    .default(1024 ** 3)
    .describe('Maximum size, in bytes, of local copies of objects in S3; copies in use may exceed it'),
  QUIRE_INDEX_URL: z
    .string()
    .optional()
    .describe(
      '`opensearch+https://user:password@host1,host2/prefix` for a search index on an OpenSearch cluster (default: in memory); see the guide to deployment. A folder names the index files of version 0.1, which are removed',
    ),
  QUIRE_SPOOL_DIR: z
    .string()
    .min(1)
    .optional()
    .describe('Folder for uploads in progress and other temporary files (default: in the data directory)'),
  QUIRE_SEARCH_MEMORY: bytes
    .optional()
    .describe(
      'Memory, in bytes, for the search index (100,000 chunks with vectors of 256 numbers take about 110 MB); a larger table cannot be searched (default: a quarter of the memory of the machine or container)',
    ),
  QUIRE_ROOT_KEY: z
    .string()
    .min(16)
    .optional()
    .describe('The root key; generated at the first start and shown once if unset'),
  QUIRE_SECRET_KEY: z
    .string()
    .min(16)
    .optional()
    .describe(
      'Encrypts stored credentials and signs cursors and links; generated at the first start with the embedded database, required with an external one',
    ),
  QUIRE_NEW_SECRET_KEY: z
    .string()
    .min(16)
    .optional()
    .describe('For `npm run rotate-secret-key` only: the key that replaces `QUIRE_SECRET_KEY`'),
  QUIRE_BACKUP_PASSPHRASE: z
    .string()
    .min(12)
    .optional()
    .describe('Encrypts and decrypts backups (`npm run backup`, `restore`, `verify`) in the format of `age`'),
  QUIRE_SAMPLE: flag
    .default(true)
    .describe('Whether the first start creates a workspace, a key and a sample collection'),
  QUIRE_RATE_LIMIT: z.coerce
    .number()
    .int()
    .min(0)
    .default(0)
    .describe('Maximum requests per minute and key; 0 for no limit'),
  QUIRE_MAX_REQUESTS: count
    .default(1024)
    .describe('Maximum number of requests that are processed at once, a third of them of one key; further ones wait'),
  QUIRE_MAX_CONNECTIONS: count
    .default(8192)
    .describe(
      'Maximum number of open HTTP connections, half of them without a valid key and a third of one key; at most half of the open files that the system allows',
    ),
  QUIRE_HTTP_MEMORY: bytes
    .optional()
    .describe(
      'Memory, in bytes, for request bodies and answers, a third of it for one key; beyond it requests wait (default: a sixteenth of the memory of the machine or container, between 64 and 128 MiB)',
    ),
  QUIRE_CORS_ORIGINS: list
    .default([])
    .describe('Origins of browser requests that are allowed, separated by commas; `*` for any'),
  QUIRE_MCP: flag
    .default(true)
    .describe('Whether assistants can connect by the Model Context Protocol (`POST /v1/w/{ws}/mcp`)'),
  QUIRE_ALLOW_PRIVATE_NETWORK: list
    .refine(isNetworkList, { message: 'not a list of host names, addresses and CIDRs, each with or without a port' })
    .default([])
    .describe(
      'Private addresses that may be called, such as model servers: CIDRs or host names, separated by commas; with `:port` only at that port, which keeps other services of the host out of reach',
    ),
  QUIRE_EXTRA_CA_FILE: z
    .string()
    .optional()
    .describe('Certificates (PEM) of additional trusted authorities, for webhook receivers and model servers'),
  QUIRE_LOG_LEVEL: z
    .enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'])
    .default('info')
    .describe('Log level'),
  QUIRE_OTLP_ENDPOINT: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('Collector (OTLP over HTTP) that receives traces, such as `http://127.0.0.1:4318`; no traces if unset'),
  QUIRE_TRACE_RATIO: z.coerce
    .number()
    .min(0)
    .max(1)
    .default(1)
    .describe('Share of requests and jobs that are traced, unless a `traceparent` header decides'),
  QUIRE_TESSDATA_DIR: z
    .string()
    .optional()
    .describe(
      'A folder with `<language>.traineddata` files: OCR languages in addition to Latin, Chinese and Japanese script',
    ),
  QUIRE_MODEL_DIR: z
    .string()
    .optional()
    .describe('A folder with one ONNX embedding model or several named ones, and with GGUF files'),
  QUIRE_MODEL_HUB_URL: z
    .url({ protocol: /^https?$/ })
    .default('https://huggingface.co')
    .describe('Hub from which models are downloaded'),
  QUIRE_MODEL_DOWNLOAD: flag
    .default(true)
    .describe('Whether the first start downloads the default embedding model; otherwise the shipped one is used'),
  QUIRE_MAX_FILE_BYTES: bytes.default(200 * 1024 * 1024).describe('Maximum size of a file, in bytes'),
  QUIRE_MAX_JSON_BYTES: bytes.default(10 * 1024 * 1024).describe('Maximum size of a JSON body, in bytes'),
  QUIRE_MIN_FREE_BYTES: z.coerce
    .number()
    .int()
    .min(0)
    .default(128 * 1024 * 1024)
    .describe(
      'Free disk space, in bytes, that every write of a file leaves; below it uploads are refused (503 `storage_full`) and `/readyz` fails',
    ),
  QUIRE_WORKSPACE_MAX_BYTES: z.coerce
    .number()
    .int()
    .min(0)
    .default(0)
    .describe(
      'Maximum size, in bytes, of the files that a workspace stores: documents with members of archives, and inputs of runs; beyond it uploads are refused (429 `quota_exceeded`); 0 for no limit',
    ),
  QUIRE_WORKSPACE_MAX_DOCUMENTS: z.coerce
    .number()
    .int()
    .min(0)
    .default(0)
    .describe(
      'Maximum number of documents of a workspace, with members of archives and deleted documents that are not purged; 0 for no limit',
    ),
  QUIRE_MAX_INFLATED_BYTES: bytes
    .default(1024 ** 3)
    .describe('Maximum unpacked size of an archive or zip-based document, in bytes'),
  QUIRE_MAX_ARCHIVE_ENTRIES: count
    .default(10_000)
    .describe('Maximum number of members of an archive or zip-based document'),
  QUIRE_MAX_PIXELS: count.default(100_000_000).describe('Maximum number of pixels of a decoded image'),
  QUIRE_PAGE_PICTURE_BYTES: z.coerce
    .number()
    .int()
    .min(0)
    .default(1024 ** 3)
    .describe(
      'Maximum total size, in bytes, of stored pictures of pages and renderings of large documents; the least recently used ones are deleted; 0 stores none',
    ),
  QUIRE_MAX_RUN_FILES: count.default(100).describe('Maximum number of files of a run'),
  QUIRE_AUDIT_RETENTION_DAYS: z.coerce
    .number()
    .min(0)
    .max(36_500)
    .default(365)
    .describe('Days until entries of the audit log are deleted; 0 keeps them'),
  QUIRE_RUN_RETENTION_HOURS: z.coerce
    .number()
    .positive()
    .max(24 * 365)
    .default(24)
    .describe('Hours after the end of a run until its inputs and outputs are deleted'),
  QUIRE_PROCESSING_DEADLINE_SECONDS: count
    .default(900)
    .describe('Processing time after which a document or a run fails with `timeout`'),
  QUIRE_PARSE_TIMEOUT_SECONDS: count
    .default(300)
    .describe('Time after which a parser process is killed at the latest; tasks with a short estimate have less'),
  QUIRE_PARSE_MEMORY_BYTES: bytes
    .default(1_200_000_000)
    .describe('Memory above which a parser process is killed, in bytes'),
  QUIRE_PARSE_PROCESSES: count
    .optional()
    .describe(
      'Number of parser processes (default: the number of cores, at most 4); one more runs for a workspace that has none',
    ),
  QUIRE_WORKER_CONCURRENCY: count
    .default(8)
    .describe(
      'Concurrent jobs of a worker process, in addition to four times as many ingestions of small texts, and a quarter more of each for workspaces that have none',
    ),
} as const;

const schema = z.object(settings);
export type Environment = z.output<typeof schema>;

/** A setting is missing or wrong; the message names every one of them. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
}

/** Variables of the clients, which may be set in the shell that starts the service. */
const CLIENT_VARIABLES: ReadonlySet<string> = new Set(['QUIRE_URL', 'QUIRE_KEY', 'QUIRE_CONFIG', 'QUIRE_WORKSPACE']);

/** Settings of earlier versions, with the reason why they are refused. */
const REMOVED_SETTINGS: ReadonlyMap<string, string> = new Map([
  ['QUIRE_SEARCH_ENGINE', 'the index in memory is the only engine of one machine; remove this setting'],
]);

/** Reads and checks all settings; empty variables count as unset. Throws `ConfigurationError`. */
export function readEnvironment(source: NodeJS.ProcessEnv = process.env): Environment {
  const present = Object.fromEntries(
    Object.entries(source).filter(([name, value]) => name.startsWith('QUIRE_') && value !== undefined && value !== ''),
  );
  const result = schema.safeParse(present);
  const problems = result.success
    ? []
    : result.error.issues.map((issue) => `${issue.path.join('.')}: ${problemOf(issue)}`);
  for (const name of Object.keys(present)) {
    if (name in settings || name.startsWith('QUIRE_TEST_') || CLIENT_VARIABLES.has(name)) continue;
    problems.push(`${name}: ${REMOVED_SETTINGS.get(name) ?? 'there is no such setting'}`);
  }
  if (problems.length > 0 || !result.success) throw new ConfigurationError(`Settings:\n  ${problems.join('\n  ')}`);
  return result.data;
}

/** Returns why a value is refused. Settings are texts, so that zod would name the wrong type of a number `NaN`. */
function problemOf(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_value') return `must be ${orList(issue.values.map(String))}`;
  if (issue.code === 'too_big') return `must be at most ${issue.maximum}`;
  if (issue.code === 'too_small')
    return issue.origin === 'string'
      ? `must have at least ${issue.minimum} characters`
      : `must be at least ${issue.minimum}`;
  if (issue.code !== 'invalid_type') return issue.message;
  if (issue.expected === 'number') return 'must be a number';
  return issue.expected === 'int' ? 'must be a whole number' : issue.message;
}

const orList = (values: readonly string[]): string =>
  new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(values);

export interface SettingDoc {
  name: string;
  description: string;
  fallback: string;
}

/** Returns name, meaning and default of every setting, for the table in `docs/guide/settings.md`. */
export function describeSettings(): SettingDoc[] {
  return Object.entries(settings).map(([name, setting]) => {
    const parsed = setting.safeParse(undefined);
    const value = parsed.success ? parsed.data : undefined;
    const fallback = value === undefined || (Array.isArray(value) && value.length === 0) ? '' : String(value);
    return { name, description: setting.description ?? '', fallback };
  });
}
