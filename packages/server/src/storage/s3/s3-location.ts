/** Reads the address of an S3 bucket: `s3://bucket/prefix?endpoint=…&region=…`. */
import { checkKey } from '../keys.ts';

export interface S3Location {
  bucket: string;
  /** Empty, or a prefix of all keys that ends with a slash. */
  prefix: string;
  /** Address of a service other than AWS; null for AWS. */
  endpoint: string | null;
  /** Null: the SDK takes it from its environment, such as AWS_REGION. */
  region: string | null;
  /** Whether the bucket is a part of the path and not of the host name. */
  forcePathStyle: boolean;
  encryption: S3Encryption | null;
}

/** Server-side encryption that each upload requests. */
export interface S3Encryption {
  algorithm: 'AES256' | 'aws:kms';
  /** Key of the key service; the default key of the account if null. */
  kmsKeyId: string | null;
}

/** The address names no bucket that can be used. */
export class S3LocationError extends Error {
  override readonly name = 'S3LocationError';
}

const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;
const PARAMETERS: ReadonlySet<string> = new Set(['endpoint', 'region', 'pathStyle', 'encryption', 'kmsKeyId']);
/** Services other than AWS use the name of a region only in signatures. */
const DEFAULT_REGION = 'us-east-1';

function fail(reason: string): never {
  throw new S3LocationError(reason);
}

/** Throws `S3LocationError`. */
export function parseS3Location(address: string): S3Location {
  const url = URL.canParse(address) ? new URL(address) : fail('not a URL such as s3://bucket/prefix');
  if (url.username !== '' || url.password !== '') {
    fail('credentials do not belong into the address; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY');
  }
  if (!BUCKET.test(url.hostname)) fail(`'${url.hostname}' is not the name of a bucket`);
  if (url.port !== '' || url.hash !== '') fail('a port belongs into the parameter endpoint');
  const query = url.searchParams;
  for (const name of query.keys()) if (!PARAMETERS.has(name)) fail(`there is no parameter '${name}'`);
  const endpoint = query.get('endpoint');
  return {
    bucket: url.hostname,
    prefix: readPrefix(url.pathname),
    endpoint: endpoint === null ? null : readEndpoint(endpoint),
    region: query.get('region') ?? (endpoint === null ? null : DEFAULT_REGION),
    forcePathStyle: readFlag(query.get('pathStyle')) ?? endpoint !== null,
    encryption: readEncryption(query.get('encryption'), query.get('kmsKeyId')),
  };
}

function readPrefix(path: string): string {
  const prefix = path.split('/').filter(Boolean).join('/');
  if (prefix === '') return '';
  try {
    return `${checkKey(prefix)}/`;
  } catch {
    return fail(`the prefix '${prefix.slice(0, 80)}' has other characters than A-Z a-z 0-9 . _ - and single slashes`);
  }
}

function readEndpoint(endpoint: string): string {
  const url = URL.canParse(endpoint) ? new URL(endpoint) : undefined;
  if (url === undefined || !['http:', 'https:'].includes(url.protocol)) {
    return fail('endpoint is not a URL such as https://s3.example.com');
  }
  if (url.username !== '' || url.password !== '') fail('credentials do not belong into the endpoint');
  return url.href.replace(/\/$/, '');
}

function readFlag(value: string | null): boolean | undefined {
  if (value === null) return undefined;
  return value === 'true' || value === 'false' ? value === 'true' : fail('pathStyle is not true or false');
}

function readEncryption(algorithm: string | null, kmsKeyId: string | null): S3Encryption | null {
  if (algorithm === null) return kmsKeyId === null ? null : fail('kmsKeyId needs encryption=aws:kms');
  if (algorithm !== 'AES256' && algorithm !== 'aws:kms') fail('encryption is not AES256 or aws:kms');
  if (kmsKeyId !== null && algorithm !== 'aws:kms') fail('kmsKeyId needs encryption=aws:kms');
  return { algorithm, kmsKeyId };
}
