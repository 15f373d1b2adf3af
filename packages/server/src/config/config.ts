/** The service's configuration: settings turned into what the parts need, with paths resolved and defaults applied. */
import { readFileSync } from 'node:fs';
import { availableParallelism, totalmem } from 'node:os';
import { fileURLToPath } from 'node:url';
import path from 'node:path';
import {
  isOpenSearchAddress,
  OpenSearchLocationError,
  parseOpenSearchLocation,
  type OpenSearchLocation,
} from '@quire/search/opensearch/opensearch-location';
import { type S3Location, S3LocationError, parseS3Location } from '../storage/s3/s3-location.ts';
import { ConfigurationError, type Environment } from './env.ts';

export type Role = 'all' | 'api' | 'worker';

/** Where originals and artifacts are stored. */
export type StorageConfig =
  | { kind: 'folder'; folder: string }
  /** `cacheBytes`: maximum size of local copies of objects. */
  | { kind: 's3'; location: S3Location; cacheBytes: number };

export interface Config {
  role: Role;
  http: {
    host: string;
    port: number;
    /** Empty, or a path without a trailing slash that precedes every address. */
    basePath: string;
    /** Number of trusted proxies, or their addresses and CIDRs; false for none. */
    trustProxy: number | string[] | false;
    tls: { certFile: string; keyFile: string } | null;
    corsOrigins: readonly string[];
    /** Whether assistants can connect by the Model Context Protocol. */
    mcp: boolean;
    rateLimitPerMinute: number;
    traffic: { memoryBytes: number; maxRequests: number; maxConnections: number };
  };
  dataDir: string;
  /** Null: the embedded PostgreSQL, owned by this process. */
  databaseUrl: string | null;
  /** Time limit for a statement of a request; null for none. */
  statementTimeoutMs: number | null;
  /** Time limit for a statement that evaluates a filter; null for that of other statements. */
  filterTimeoutMs: number | null;
  storage: StorageConfig;
  /** Private folder for uploads in progress and other temporary files. */
  spoolDir: string;
  indexUri: string;
  /** The cluster that holds the search index; null for an index of this process. */
  indexCluster: OpenSearchLocation | null;
  /** Memory limit for copies of index tables. */
  searchMemoryBytes: number;
  modelDir: string | null;
  modelHubUrl: string;
  /** Whether the embedding model is downloaded at first start. */
  modelDownload: boolean;
  /** Data of OCR languages. */
  tessdataDir: string | null;
  rootKey: string | null;
  secretKey: string | null;
  /** Encrypts backups. */
  backupPassphrase: string | null;
  /** Only for the rotation of the secret key. */
  newSecretKey: string | null;
  /** PEM file of authorities that are trusted beside the well-known ones. */
  extraCaFile: string | null;
  /** CIDRs, addresses and host names that may be called although they are not public. */
  allowPrivateNetwork: readonly string[];
  sample: boolean;
  logLevel: string;
  /** Collector of traces; null for none. */
  tracing: { endpoint: string; sampleRatio: number } | null;
  limits: {
    fileBytes: number;
    jsonBytes: number;
    /** Free disk space below which uploads are refused. */
    minFreeBytes: number;
    inflatedBytes: number;
    archiveEntries: number;
    archiveRatio: number;
    archiveDepth: number;
    pixels: number;
    runFiles: number;
    /** Total size of stored pictures of pages. */
    pagePictureBytes: number;
  };
  /** Limits of each workspace; 0 for none. */
  quota: { documents: number; bytes: number };
  /** Age at which entries of the audit log are removed; null keeps them. */
  auditRetentionMs: number | null;
  processing: {
    deadlineMs: number;
    /** Retention period of inputs and outputs of a run after its end. */
    runRetentionMs: number;
    parseTimeoutMs: number;
    parseMemoryBytes: number;
    parseProcesses: number;
    workerConcurrency: number;
  };
}

function directory(
  setting: 'QUIRE_STORAGE_URL' | 'QUIRE_INDEX_URL',
  value: string | undefined,
  fallback: string,
): string {
  if (value === undefined) return fallback;
  if (value.startsWith('file://')) return fileURLToPath(value);
  if (/^[a-z0-9]+:\/\//i.test(value)) {
    throw new ConfigurationError(
      `Settings:\n  ${setting}: only directories and file:// URLs are supported, not '${value.split(':')[0]}:'`,
    );
  }
  return path.resolve(value);
}

/** Returns the limit of filters, unless that of all statements is lower. */
function filterTimeoutOf(environment: Environment): number | null {
  const { QUIRE_FILTER_TIMEOUT_SECONDS: filter, QUIRE_STATEMENT_TIMEOUT_SECONDS: statement } = environment;
  const isLower = statement > 0 && statement <= filter;
  return filter === 0 || isLower ? null : Math.ceil(filter * 1000);
}

function storageOf(environment: Environment, dataDir: string): StorageConfig {
  const url = environment.QUIRE_STORAGE_URL;
  if (url === undefined || !url.startsWith('s3:')) {
    return { kind: 'folder', folder: directory('QUIRE_STORAGE_URL', url, path.join(dataDir, 'storage')) };
  }
  try {
    return { kind: 's3', location: parseS3Location(url), cacheBytes: environment.QUIRE_STORAGE_CACHE_BYTES };
  } catch (error) {
    if (!(error instanceof S3LocationError)) throw error;
    throw new ConfigurationError(`Settings:\n  QUIRE_STORAGE_URL: ${error.message}`, { cause: error });
  }
}

function indexOf(environment: Environment, dataDir: string): Pick<Config, 'indexUri' | 'indexCluster'> {
  const url = environment.QUIRE_INDEX_URL;
  const folder = path.join(dataDir, 'index');
  if (url === undefined || !isOpenSearchAddress(url)) {
    return { indexUri: directory('QUIRE_INDEX_URL', url, folder), indexCluster: null };
  }
  try {
    return { indexUri: folder, indexCluster: parseOpenSearchLocation(url) };
  } catch (error) {
    if (!(error instanceof OpenSearchLocationError)) throw error;
    throw new ConfigurationError(`Settings:\n  QUIRE_INDEX_URL: ${error.message}`, { cause: error });
  }
}

/** Part of the machine's memory that the search index may take. */
const SEARCH_MEMORY_SHARE = 4;

/** Returns the memory of the machine, or the limit of the container if it is lower. */
export function availableBytes(): number {
  const limit = process.constrainedMemory();
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem();
}

function trustedProxies(entries: readonly string[]): number | string[] | false {
  if (entries.length === 0) return false;
  const count = Number(entries[0]);
  return Number.isInteger(count) ? count : [...entries];
}

function tlsFiles({ QUIRE_TLS_CERT_FILE: certFile, QUIRE_TLS_KEY_FILE: keyFile }: Environment): Config['http']['tls'] {
  if (certFile === undefined && keyFile === undefined) return null;
  if (certFile === undefined || keyFile === undefined) {
    const missing = certFile === undefined ? 'QUIRE_TLS_CERT_FILE' : 'QUIRE_TLS_KEY_FILE';
    throw new ConfigurationError(`Settings:\n  ${missing}: a certificate and its key are needed together`);
  }
  return { certFile: path.resolve(certFile), keyFile: path.resolve(keyFile) };
}

const MEBIBYTE = 1024 ** 2;
/** Part of the machine's memory for bodies and answers, and its bounds. */
const HTTP_MEMORY_SHARE = 16;
const MIN_HTTP_MEMORY = 64 * MEBIBYTE;
const MAX_HTTP_MEMORY = 128 * MEBIBYTE;

function trafficOf(environment: Environment): Config['http']['traffic'] {
  const share = Math.floor(availableBytes() / HTTP_MEMORY_SHARE);
  return {
    memoryBytes: environment.QUIRE_HTTP_MEMORY ?? Math.min(MAX_HTTP_MEMORY, Math.max(MIN_HTTP_MEMORY, share)),
    maxRequests: environment.QUIRE_MAX_REQUESTS,
    maxConnections: Math.max(1, Math.min(environment.QUIRE_MAX_CONNECTIONS, Math.floor(maxOpenFiles() / 2))),
  };
}

/** Returns the number of files that this process may open; Node raises it to the hard limit at its start. */
function maxOpenFiles(): number {
  try {
    const limit = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1];
    return limit === undefined ? Infinity : Number(limit);
  } catch {
    // Only Linux has this file.
    return Infinity;
  }
}

/** Pure: derives the configuration from the settings. Throws `ConfigurationError`. */
export function toConfig(environment: Environment): Config {
  const databaseUrl = environment.QUIRE_DATABASE_URL ?? null;
  if (environment.QUIRE_ROLE !== 'all' && databaseUrl === null) {
    throw new ConfigurationError(`Settings:\n  QUIRE_DATABASE_URL: needed with QUIRE_ROLE=${environment.QUIRE_ROLE}`);
  }
  if (databaseUrl !== null && environment.QUIRE_SECRET_KEY === undefined) {
    throw new ConfigurationError(
      'Settings:\n  QUIRE_SECRET_KEY: needed with QUIRE_DATABASE_URL, the same for every process',
    );
  }
  const dataDir = path.resolve(environment.QUIRE_DATA_DIR);
  return {
    role: environment.QUIRE_ROLE,
    http: {
      host: environment.QUIRE_HOST,
      port: environment.QUIRE_PORT,
      basePath: environment.QUIRE_BASE_PATH,
      trustProxy: trustedProxies(environment.QUIRE_TRUST_PROXY),
      tls: tlsFiles(environment),
      corsOrigins: environment.QUIRE_CORS_ORIGINS,
      mcp: environment.QUIRE_MCP,
      rateLimitPerMinute: environment.QUIRE_RATE_LIMIT,
      traffic: trafficOf(environment),
    },
    dataDir,
    databaseUrl,
    statementTimeoutMs: Math.ceil(environment.QUIRE_STATEMENT_TIMEOUT_SECONDS * 1000) || null,
    filterTimeoutMs: filterTimeoutOf(environment),
    storage: storageOf(environment, dataDir),
    spoolDir: path.resolve(environment.QUIRE_SPOOL_DIR ?? path.join(dataDir, 'spool')),
    modelDir: environment.QUIRE_MODEL_DIR === undefined ? null : path.resolve(environment.QUIRE_MODEL_DIR),
    modelHubUrl: environment.QUIRE_MODEL_HUB_URL,
    modelDownload: environment.QUIRE_MODEL_DOWNLOAD,
    tessdataDir: environment.QUIRE_TESSDATA_DIR === undefined ? null : path.resolve(environment.QUIRE_TESSDATA_DIR),
    ...indexOf(environment, dataDir),
    searchMemoryBytes: environment.QUIRE_SEARCH_MEMORY ?? Math.floor(availableBytes() / SEARCH_MEMORY_SHARE),
    rootKey: environment.QUIRE_ROOT_KEY ?? null,
    secretKey: environment.QUIRE_SECRET_KEY ?? null,
    backupPassphrase: environment.QUIRE_BACKUP_PASSPHRASE ?? null,
    newSecretKey: environment.QUIRE_NEW_SECRET_KEY ?? null,
    extraCaFile: environment.QUIRE_EXTRA_CA_FILE === undefined ? null : path.resolve(environment.QUIRE_EXTRA_CA_FILE),
    allowPrivateNetwork: environment.QUIRE_ALLOW_PRIVATE_NETWORK,
    sample: environment.QUIRE_SAMPLE,
    logLevel: environment.QUIRE_LOG_LEVEL,
    tracing:
      environment.QUIRE_OTLP_ENDPOINT === undefined
        ? null
        : { endpoint: environment.QUIRE_OTLP_ENDPOINT, sampleRatio: environment.QUIRE_TRACE_RATIO },
    limits: {
      fileBytes: environment.QUIRE_MAX_FILE_BYTES,
      jsonBytes: environment.QUIRE_MAX_JSON_BYTES,
      minFreeBytes: environment.QUIRE_MIN_FREE_BYTES,
      inflatedBytes: environment.QUIRE_MAX_INFLATED_BYTES,
      archiveEntries: environment.QUIRE_MAX_ARCHIVE_ENTRIES,
      archiveRatio: 100,
      archiveDepth: 3,
      pixels: environment.QUIRE_MAX_PIXELS,
      runFiles: environment.QUIRE_MAX_RUN_FILES,
      pagePictureBytes: environment.QUIRE_PAGE_PICTURE_BYTES,
    },
    quota: { documents: environment.QUIRE_WORKSPACE_MAX_DOCUMENTS, bytes: environment.QUIRE_WORKSPACE_MAX_BYTES },
    auditRetentionMs:
      environment.QUIRE_AUDIT_RETENTION_DAYS === 0 ? null : environment.QUIRE_AUDIT_RETENTION_DAYS * 86_400_000,
    processing: {
      deadlineMs: environment.QUIRE_PROCESSING_DEADLINE_SECONDS * 1000,
      runRetentionMs: environment.QUIRE_RUN_RETENTION_HOURS * 3_600_000,
      parseTimeoutMs: environment.QUIRE_PARSE_TIMEOUT_SECONDS * 1000,
      parseMemoryBytes: environment.QUIRE_PARSE_MEMORY_BYTES,
      parseProcesses: environment.QUIRE_PARSE_PROCESSES ?? Math.min(4, availableParallelism()),
      workerConcurrency: environment.QUIRE_WORKER_CONCURRENCY,
    },
  };
}
