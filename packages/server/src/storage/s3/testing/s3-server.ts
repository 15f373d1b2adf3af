/**
 * A server of the S3 API in memory, as far as `S3Store` uses it: conditional and multipart uploads with checksums,
 * ranges, listings and deletions. It does not check signatures; the tests on versitygw do. Only imported by tests.
 */
import { createHash, randomUUID } from 'node:crypto';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { crc32 } from 'node:zlib';

export interface StoredObject {
  bytes: Buffer;
  etag: string;
  crc32: string;
  modifiedAt: Date;
}

/** Failure of one request: an error status, or a body that ends early, stalls or is altered. */
export type Fault = { status: number } | { cutAfter: number } | { stallAfter: number } | { alter: true };

export interface S3TestServer {
  endpoint: string;
  objects: Map<string, StoredObject>;
  uploads: Map<string, { key: string; parts: Map<number, Buffer>; startedAt: Date }>;
  /** Method, path and headers of each request. */
  requests: { method: string; url: string; headers: IncomingMessage['headers'] }[];
  /** Returns the failure of a request; undefined answers it. */
  fault: (request: { method: string; url: string }) => Fault | undefined;
  ignoresConditions: boolean;
  ignoresRanges: boolean;
  /** Maximum number of keys in a page of a listing. */
  pageSize: number;
  close(): Promise<void>;
}

const checksumOf = (bytes: Buffer): string => {
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(bytes));
  return sum.toString('base64');
};
const stored = (bytes: Buffer): StoredObject => ({
  bytes,
  etag: `"${createHash('md5').update(bytes).digest('hex')}"`,
  crc32: checksumOf(bytes),
  modifiedAt: new Date(),
});
const refuse = (response: ServerResponse, status: number, code: string): void =>
  void response
    .writeHead(status, { 'content-type': 'application/xml' })
    .end(`<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code><Message>${code}</Message></Error>`);
const xml = (response: ServerResponse, body: string): void =>
  void response
    .writeHead(200, { 'content-type': 'application/xml' })
    .end(`<?xml version="1.0" encoding="UTF-8"?>${body}`);

class Exchange {
  readonly #server: S3TestServer;
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #query: URLSearchParams;
  readonly #key: string;

  constructor(server: S3TestServer, request: IncomingMessage, response: ServerResponse) {
    const url = new URL(request.url ?? '/', 'http://server');
    this.#server = server;
    this.#request = request;
    this.#response = response;
    this.#query = url.searchParams;
    this.#key = decodeURIComponent(url.pathname.split('/').slice(2).join('/'));
  }

  async answer(fault: Fault | undefined): Promise<void> {
    const body = await buffer(this.#request);
    if (fault !== undefined && 'status' in fault) return refuse(this.#response, fault.status, 'InjectedFault');
    const sent = this.#request.headers['x-amz-checksum-crc32'];
    const isAltered = fault !== undefined && 'alter' in fault && this.#request.method === 'PUT';
    if (sent !== undefined && (isAltered || sent !== checksumOf(body))) return refuse(this.#response, 400, 'BadDigest');
    switch (this.#request.method ?? 'GET') {
      case 'PUT':
        return this.#query.has('partNumber') ? this.#putPart(body) : this.#put(body);
      case 'POST':
        return this.#post(body.toString());
      case 'DELETE':
        if (this.#query.has('uploadId')) this.#server.uploads.delete(this.#query.get('uploadId')!);
        else this.#server.objects.delete(this.#key);
        return void this.#response.writeHead(204).end();
      default:
        if (this.#key !== '') return this.#get(fault);
        return this.#query.has('uploads') ? this.#listUploads() : this.#list();
    }
  }

  #put(body: Buffer): void {
    const { ignoresConditions, objects } = this.#server;
    const isConditional = this.#request.headers['if-none-match'] === '*' && !ignoresConditions;
    if (isConditional && objects.has(this.#key)) return refuse(this.#response, 412, 'PreconditionFailed');
    const object = stored(body);
    objects.set(this.#key, object);
    this.#response.writeHead(200, { etag: object.etag }).end();
  }

  #putPart(body: Buffer): void {
    const upload = this.#server.uploads.get(this.#query.get('uploadId')!);
    if (upload === undefined) return refuse(this.#response, 404, 'NoSuchUpload');
    upload.parts.set(Number(this.#query.get('partNumber')), body);
    this.#response.writeHead(200, { etag: stored(body).etag, 'x-amz-checksum-crc32': checksumOf(body) }).end();
  }

  #post(body: string): void {
    const { objects, uploads } = this.#server;
    if (this.#query.has('delete')) {
      for (const [, key = ''] of body.matchAll(/<Key>([^<]*)<\/Key>/g)) objects.delete(key);
      return xml(this.#response, '<DeleteResult/>');
    }
    if (this.#query.has('uploads')) {
      const id = randomUUID();
      uploads.set(id, { key: this.#key, parts: new Map(), startedAt: new Date() });
      const result = `<UploadId>${id}</UploadId>`;
      return xml(this.#response, `<InitiateMultipartUploadResult>${result}</InitiateMultipartUploadResult>`);
    }
    const id = this.#query.get('uploadId') ?? '';
    const upload = uploads.get(id);
    if (upload === undefined) return refuse(this.#response, 404, 'NoSuchUpload');
    const parts = [...upload.parts].toSorted(([one], [other]) => one - other).map(([, bytes]) => bytes);
    if (parts.slice(0, -1).some((part) => part.length < 5 * 1024 * 1024))
      return refuse(this.#response, 400, 'EntityTooSmall');
    uploads.delete(id);
    const object = stored(Buffer.concat(parts));
    objects.set(this.#key, object);
    xml(this.#response, `<CompleteMultipartUploadResult><ETag>${object.etag}</ETag></CompleteMultipartUploadResult>`);
  }

  #get(fault: Fault | undefined): void {
    const { headers, method } = this.#request;
    const object = this.#server.objects.get(this.#key);
    if (object === undefined) return refuse(this.#response, 404, 'NoSuchKey');
    if (headers['if-match'] !== undefined && headers['if-match'] !== object.etag)
      return refuse(this.#response, 412, 'PreconditionFailed');
    const [, from = '0', to = ''] = /^bytes=(\d+)-(\d*)$/.exec(headers.range ?? '') ?? [];
    const isRange = headers.range !== undefined && !this.#server.ignoresRanges;
    if (isRange && Number(from) >= object.bytes.length) return refuse(this.#response, 416, 'InvalidRange');
    let content = isRange
      ? object.bytes.subarray(Number(from), to === '' ? undefined : Number(to) + 1)
      : Buffer.from(object.bytes);
    if (fault !== undefined && 'alter' in fault && content.length > 0)
      content = Buffer.concat([Buffer.from([(content[0] ?? 0) ^ 1]), content.subarray(1)]);
    const checksum = headers['x-amz-checksum-mode'] === undefined ? {} : { 'x-amz-checksum-crc32': object.crc32 };
    this.#response.writeHead(isRange ? 206 : 200, {
      etag: object.etag,
      'content-length': content.length,
      'last-modified': object.modifiedAt.toUTCString(),
      ...checksum,
    });
    if (method === 'HEAD') return void this.#response.end();
    if (fault !== undefined && 'cutAfter' in fault) {
      this.#response.write(content.subarray(0, fault.cutAfter), () => this.#response.destroy());
    } else if (fault !== undefined && 'stallAfter' in fault)
      this.#response.write(content.subarray(0, fault.stallAfter));
    else this.#response.end(content);
  }

  #list(): void {
    const prefix = this.#query.get('prefix') ?? '';
    const after = this.#query.get('continuation-token') ?? '';
    const max = Math.min(this.#server.pageSize, Number(this.#query.get('max-keys') ?? 1000));
    const keys = [...this.#server.objects.keys()].filter((key) => key.startsWith(prefix) && key > after).toSorted();
    const contents = keys.slice(0, max).map((key) => {
      const { bytes, etag, modifiedAt } = this.#server.objects.get(key)!;
      const time = modifiedAt.toISOString();
      return `<Contents><Key>${key}</Key><LastModified>${time}</LastModified><ETag>${etag.replaceAll('"', '&quot;')}</ETag><Size>${bytes.length}</Size></Contents>`;
    });
    const isTruncated = keys.length > max;
    const next = isTruncated ? `<NextContinuationToken>${keys[max - 1]}</NextContinuationToken>` : '';
    const result = `<IsTruncated>${isTruncated}</IsTruncated>${next}${contents.join('')}`;
    xml(this.#response, `<ListBucketResult>${result}</ListBucketResult>`);
  }

  #listUploads(): void {
    const uploads = [...this.#server.uploads].map(
      ([id, { key, startedAt }]) =>
        `<Upload><Key>${key}</Key><UploadId>${id}</UploadId><Initiated>${startedAt.toISOString()}</Initiated></Upload>`,
    );
    const result = `<IsTruncated>false</IsTruncated>${uploads.join('')}`;
    xml(this.#response, `<ListMultipartUploadsResult>${result}</ListMultipartUploadsResult>`);
  }
}

export async function startS3TestServer(): Promise<S3TestServer> {
  const listener = http.createServer((request, response) => {
    const { method = 'GET', url = '/', headers } = request;
    server.requests.push({ method, url, headers });
    if (headers.authorization === undefined) return refuse(response, 403, 'AccessDenied');
    void new Exchange(server, request, response).answer(server.fault({ method, url })).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  const server: S3TestServer = {
    endpoint: `http://127.0.0.1:${(listener.address() as AddressInfo).port}`,
    objects: new Map(),
    uploads: new Map(),
    requests: [],
    fault: () => undefined,
    ignoresConditions: false,
    ignoresRanges: false,
    pageSize: 1000,
    close: async () => {
      listener.closeAllConnections();
      await new Promise((resolve) => listener.close(resolve));
    },
  };
  return server;
}
