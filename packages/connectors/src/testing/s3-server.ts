/** A small server of the S3 API in memory: lists, reads and checks signatures. Only imported by tests. */
import { createHash } from 'node:crypto';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline, Readable } from 'node:stream';
import { AwsV4Signer } from 'aws4fetch';
import { LISTING, listingOf, type ListingBehaviour, type StoredObject } from './s3-listing.ts';

export const KEYS = { accessKeyId: 'test-access', secretAccessKey: 'test-secret' };
export const BUCKET = 'documents';
const CHUNK_BYTES = 64 * 1024;

export interface S3Server extends ListingBehaviour {
  port: number;
  objects: Map<string, StoredObject>;
  write(key: string, bytes: Buffer): void;
  /** Whether requests without a signature are answered. Default: false. */
  isPublic: boolean;
  region: string;
  /** Answer to each request for an object; null for the objects. */
  objectAnswer: { status: number; code: string } | null;
  /** Method, key and query of each request. */
  requests: string[];
  close(): Promise<void>;
}

function* chunksOf(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) yield bytes.subarray(at, at + CHUNK_BYTES);
}

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
  server.requests.push(`${request.method} ${key}${url.search}`);
  if (key === '') {
    const page = listingOf(server.objects, server, url.searchParams);
    if (page === null) return error(response, 400, 'InvalidArgument');
    return void response.writeHead(200, { 'content-type': 'application/xml' }).end(page);
  }
  const { objectAnswer } = server;
  if (objectAnswer !== null) return error(response, objectAnswer.status, objectAnswer.code);
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
    ...LISTING,
    objectAnswer: null,
    region: 'us-east-1',
    requests: [],
    close: async () => {
      listener.closeAllConnections();
      await new Promise((resolve) => listener.close(resolve));
    },
  };
  return server;
}
