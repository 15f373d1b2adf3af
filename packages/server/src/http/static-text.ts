/**
 * A text that is the same for every client, such as the description of the API. It is made and compressed at the first
 * request that needs it, once for each coding, and then sent from memory with an ETag.
 */
import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { notFound } from '../errors.ts';
import { acceptedCoding, compress, type Coding } from './content-coding.ts';
import { listsEtag } from './etag.ts';

/** Size in bytes below which compression saves nothing. */
const THRESHOLD_BYTES = 1024;
/** Quality of brotli for a text that is compressed once. */
const QUALITY = 6;

interface Variant {
  bytes: Buffer;
  etag: string;
}

export interface StaticTextOptions {
  contentType: string;
  headers?: Readonly<Record<string, string>>;
  /** False for pictures and other content that does not get smaller. */
  compressible?: boolean;
  /** Forms that were compressed in advance. */
  coded?: Readonly<Partial<Record<Coding, Buffer>>>;
}

export class StaticText {
  readonly #make: () => string | Buffer | Promise<string>;
  readonly #options: StaticTextOptions;
  readonly #variants = new Map<Coding | 'identity', Promise<Variant>>();

  constructor(make: () => string | Buffer | Promise<string>, options: StaticTextOptions) {
    this.#make = make;
    this.#options = options;
  }

  async send(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { contentType, headers = {} } = this.#options;
    const coding = acceptedCoding(request.headers['accept-encoding']);
    const variant = await this.variant(coding);
    const isCoded = coding !== undefined && variant !== (await this.variant());
    void reply.headers({ 'cache-control': 'no-cache', ...headers, etag: variant.etag, vary: 'accept-encoding' });
    if (listsEtag(request.headers['if-none-match'], variant.etag)) return reply.code(304).send();
    if (isCoded) void reply.header('content-encoding', coding);
    return reply.type(contentType).send(variant.bytes);
  }

  /** Returns the bytes in the coding, or as they are if the coding does not make them smaller. */
  variant(coding?: Coding): Promise<Variant> {
    const name = coding ?? 'identity';
    const known = this.#variants.get(name);
    if (known !== undefined) return known;
    const making = coding === undefined ? this.#plain() : this.#coded(coding);
    this.#variants.set(name, making);
    making.catch(() => this.#variants.delete(name));
    return making;
  }

  async #plain(): Promise<Variant> {
    const made = await this.#make();
    const bytes = typeof made === 'string' ? Buffer.from(made) : made;
    const hash = createHash('sha256').update(bytes).digest('base64url').slice(0, 22);
    return { bytes, etag: `"${hash}"` };
  }

  async #coded(coding: Coding): Promise<Variant> {
    const plain = await this.variant();
    const { compressible = true, coded } = this.#options;
    if (!compressible || plain.bytes.length < THRESHOLD_BYTES) return plain;
    const bytes = coded?.[coding] ?? (await compress(plain.bytes, coding, QUALITY));
    return bytes.length < plain.bytes.length ? { bytes, etag: `${plain.etag.slice(0, -1)}-${coding}"` } : plain;
  }
}

/** Serves the texts that `find` returns at an address; other names are 404. */
export function serveStatic(
  app: FastifyInstance,
  url: string,
  find: (request: FastifyRequest, name: string) => StaticText | undefined,
): void {
  app.get<{ Params: { '*'?: string; name?: string } }>(
    url,
    { config: { template: url, isStatic: true } },
    async (request, reply) => {
      const text = find(request, request.params['*'] ?? request.params.name ?? '');
      if (text === undefined) throw notFound();
      return text.send(request, reply);
    },
  );
}
