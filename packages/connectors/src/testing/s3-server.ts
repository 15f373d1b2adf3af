/** A small server of the S3 API in memory: lists, reads and checks signatures. Only imported by tests. */
import { createHash } from 'node:crypto';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline, Readable } from 'node:stream';
import { AwsV4Signer } from 'aws4fetch';
import { encodeComponent } from '../kinds/object-storage/keys.ts';

export const KEYS = { accessKeyId: 'test-access', secretAccessKey: 'test-secret' };
export const BUCKET = 'documents';
const CHUNK_BYTES = 64 * 1024;

interface StoredObject {
  bytes: Buffer;
  etag: string;
}

export interface S3Server {
  port: number;
  objects: Map<string, StoredObject>;
  write(key: string, bytes: Buffer): void;
  /** Whether requests without a signature are answered. Default: false. */
  isPublic: boolean;
  /** Whether keys in listings are encoded on request. Default: true. */
  encodesKeys: boolean;
  region: string;
  close(): Promise<void>;
}

function* chunksOf(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) yield bytes.subarray(at, at + CHUNK_BYTES);
}

const escaped = (text: string): string => text.replaceAll(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);

const error = (response: ServerResponse, status: number, code: string, more = ''): void => {
  response.writeHead(status).end(`<Error><Code>${code}</Code><Message>refused</Message>${more}</Error>`);
};

async function isSigned(request: IncomingMessage, region: string): Promise<boolean> {
  const { headers } = request;
  const names = /SignedHeaders=([^,]+)/.exec(headers.authorization ?? '')?.[1]?.split(';') ?? [];
  const signer = new AwsV4Signer({
    url: `http://${headers.host ?? ''}${request.url ?? ''}`,
    method: 'GET',
    headers: Object.fromEntries(names.filter((name) => name !== 'host').map((name) => [name, String(headers[name])])),
    ...KEYS,
    service: 's3',
    region,
    datetime: String(headers['x-amz-date']),
  });
  return (await signer.authHeader()) === headers.authorization;
}

function listing(server: S3Server, query: URLSearchParams): string {
  const prefix = query.get('prefix') ?? '';
  const after = Buffer.from(query.get('start-after') ?? '');
  const max = Number(query.get('max-keys') ?? 1000);
  const keys = [...server.objects.keys()]
    .filter((key) => key.startsWith(prefix) && Buffer.compare(Buffer.from(key), after) > 0)
    .toSorted((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other)));
  const isEncoded = server.encodesKeys && query.get('encoding-type') === 'url';
  const contents = keys.slice(0, max).map((key) => {
    const { bytes, etag } = server.objects.get(key)!;
    const name = isEncoded ? encodeComponent(key).replaceAll('%20', '+') : escaped(key);
    const time = '2026-01-02T03:04:05.000Z';
    return `<Contents><Key>${name}</Key><LastModified>${time}</LastModified><ETag>${escaped(etag)}</ETag><Size>${bytes.length}</Size></Contents>`;
  });
  return `<ListBucketResult>${isEncoded ? '<EncodingType>url</EncodingType>' : ''}<IsTruncated>${keys.length > max}</IsTruncated>${contents.join('')}</ListBucketResult>`;
}

async function answer(server: S3Server, request: IncomingMessage, response: ServerResponse): Promise<void> {
  // The bucket is the first part of the path, or of the host.
  const isInHost = request.headers.host?.startsWith(`${BUCKET}.`) === true;
  const url = new URL(`${isInHost ? `/${BUCKET}` : ''}${request.url ?? '/'}`, 'http://server');
  const region = /Credential=[^/]+\/\d+\/([^/]+)/.exec(request.headers.authorization ?? '')?.[1];
  if (region !== undefined && region !== server.region) {
    return error(response, 400, 'AuthorizationHeaderMalformed', `<Region>${server.region}</Region>`);
  }
  const mayRead =
    request.headers.authorization === undefined ? server.isPublic : await isSigned(request, server.region);
  if (!mayRead) return error(response, 403, region === undefined ? 'AccessDenied' : 'SignatureDoesNotMatch');
  const [, bucket, ...rest] = url.pathname.split('/');
  if (bucket !== BUCKET) return error(response, 404, 'NoSuchBucket');
  const key = decodeURIComponent(rest.join('/'));
  if (key === '') return void response.end(listing(server, url.searchParams));
  const object = server.objects.get(key);
  if (object === undefined) return error(response, 404, 'NoSuchKey');
  const { bytes, etag } = object;
  response.writeHead(200, { etag, 'content-length': bytes.length, 'content-type': 'text/plain' });
  pipeline(Readable.from(chunksOf(bytes)), response, () => undefined);
}

export async function startS3Server(): Promise<S3Server> {
  const listener = http.createServer((request, response) => void answer(server, request, response));
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  const server: S3Server = {
    port: (listener.address() as AddressInfo).port,
    objects: new Map(),
    write(key, bytes) {
      server.objects.set(key, { bytes, etag: `"${createHash('md5').update(bytes).digest('hex')}"` });
    },
    isPublic: false,
    encodesKeys: true,
    region: 'us-east-1',
    close: async () => {
      listener.closeAllConnections();
      await new Promise((resolve) => listener.close(resolve));
    },
  };
  return server;
}
