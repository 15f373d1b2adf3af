/** Signed requests to a bucket of the S3 API, in the region that the service names. */
import { AwsV4Signer } from 'aws4fetch';
import type { SourceResponse, HttpSource } from '../../http/http-source.ts';
import { readResponse } from '../../http/http-source.ts';
import type { ObjectStorageConfig } from './config.ts';
import { encodeComponent, encodeKey } from './keys.ts';
import { parseError, type ServiceError } from './listing-xml.ts';

/** SHA-256 of no bytes: requests have no body. */
const EMPTY_SHA256 = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
const REGION = /^[a-z0-9-]{1,40}$/;

/** A request that the service answered with an error. */
export interface Refusal extends ServiceError {
  status: number;
  headers: SourceResponse['headers'];
}

export type S3Answer = { response: SourceResponse } | { refusal: Refusal };

export class S3Client {
  readonly #config: ObjectStorageConfig;
  readonly #http: HttpSource;
  #region: string;

  constructor(config: ObjectStorageConfig, http: HttpSource) {
    this.#config = config;
    this.#http = http;
    this.#region = config.region;
  }

  /** Returns the address of an object, or of the bucket for the empty key. */
  urlOf(key: string): string {
    const { bucket, endpoint, forcePathStyle } = this.#config;
    const base = new URL(endpoint ?? `https://s3.${this.#region}.amazonaws.com`);
    const root = `${base.origin}${base.pathname.replace(/\/+$/, '')}`;
    // A bucket name with dots does not match the certificate of the service as a host name.
    const isPath = forcePathStyle ?? (endpoint !== undefined || bucket.includes('.'));
    if (isPath) return `${root}/${encodeComponent(bucket)}/${encodeKey(key)}`;
    return `${base.protocol}//${bucket}.${base.host}${base.pathname.replace(/\/+$/, '')}/${encodeKey(key)}`;
  }

  get(key: string, query: Record<string, string>, maxBytes: number, signal: AbortSignal): Promise<S3Answer> {
    return this.#inRegion(() => this.#send(key, query, maxBytes, signal));
  }

  /**
   * Requests the first byte of an object. Unlike HEAD, its refusal names a code, which distinguishes a missing object
   * from a missing bucket and from the answer of a proxy.
   */
  probe(key: string, signal: AbortSignal): Promise<S3Answer> {
    // A server that ignores the range sends the whole object, which the caller cancels.
    const headers = { range: 'bytes=0-0' };
    return this.#inRegion(() => this.#send(key, {}, Number.MAX_SAFE_INTEGER, signal, headers));
  }

  async #inRegion(send: () => Promise<S3Answer>): Promise<S3Answer> {
    const answer = await send();
    return 'response' in answer || !this.#moveTo(answer.refusal) ? answer : send();
  }

  /** Adopts the region of a redirect and returns whether it is a new one. The host of the redirect is not used. */
  #moveTo({ status, headers, region }: Refusal): boolean {
    const named = headers['x-amz-bucket-region'] ?? region;
    if (![301, 307, 400].includes(status) || typeof named !== 'string' || !REGION.test(named)) return false;
    if (named === this.#region) return false;
    this.#region = named;
    return true;
  }

  async #send(
    key: string,
    query: Record<string, string>,
    maxBytes: number,
    signal: AbortSignal,
    more: Record<string, string> = {},
  ): Promise<S3Answer> {
    const pairs = Object.entries(query).map(([name, value]) => `${name}=${encodeComponent(value)}`);
    const url = `${this.urlOf(key)}${pairs.length === 0 ? '' : `?${pairs.join('&')}`}`;
    const headers = { ...(await this.#headers(url)), ...more };
    const response = await this.#http.request({ url, headers, signal, maxBytes });
    const { status } = response;
    if (status >= 200 && status < 300) return { response };
    const error = parseError((await readResponse(response)).toString());
    return { refusal: { ...error, status, headers: response.headers } };
  }

  async #headers(url: string): Promise<Record<string, string>> {
    const { accessKeyId, secretAccessKey, sessionToken } = this.#config;
    if (accessKeyId === undefined || secretAccessKey === undefined) return {};
    const signer = new AwsV4Signer({
      url,
      method: 'GET',
      headers: { 'x-amz-content-sha256': EMPTY_SHA256 },
      accessKeyId,
      secretAccessKey,
      ...(sessionToken === undefined ? {} : { sessionToken }),
      service: 's3',
      region: this.#region,
    });
    const { headers } = await signer.sign();
    return Object.fromEntries(headers);
  }
}
