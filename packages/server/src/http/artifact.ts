/**
 * Sends a stored artifact with an ETag, byte ranges and headers that make it inert: a browser runs and loads nothing of
 * the file (`sandbox` without permissions) and does not guess its type.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Artifact } from '../domain/documents/artifact.ts';
import { listsEtag } from './etag.ts';

const INERT = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox";

type Range = readonly [number, number];

/** Returns the requested range, clipped; undefined for the whole, null for one outside of it (RFC 9110, section 14). */
function readRange(header: string | undefined, sizeBytes: number): Range | null | undefined {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header?.trim() ?? '');
  const [, from = '', to = ''] = match ?? [];
  if (match === null || (from === '' && to === '')) return undefined;
  if (from === '') {
    const length = Math.min(Number(to), sizeBytes);
    return length === 0 ? null : [sizeBytes - length, sizeBytes - 1];
  }
  const end = to === '' ? sizeBytes - 1 : Math.min(Number(to), sizeBytes - 1);
  if (to !== '' && Number(to) < Number(from)) return undefined;
  return Number(from) >= sizeBytes ? null : [Number(from), end];
}

/** Returns the header of RFC 6266 with the name in ASCII and in UTF-8. */
function disposition(name: string): string {
  const ascii = name.replaceAll(/[^\x20-\x7e]/g, '_').replaceAll(/["\\]/g, '_');
  const encoded = encodeURIComponent(name).replaceAll(
    /['()*]/g,
    (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `inline; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}

/** Answers 304 if the client's copy is current; otherwise returns undefined. For artifacts that are costly to make. */
export function sendNotModified(etag: string, request: FastifyRequest, reply: FastifyReply): FastifyReply | undefined {
  if (!listsEtag(request.headers['if-none-match'], etag)) return undefined;
  return reply.code(304).headers({ etag, 'cache-control': 'private, no-cache' }).send();
}

export async function sendArtifact(
  artifact: Artifact,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  void reply.headers({
    etag: artifact.etag,
    'accept-ranges': 'bytes',
    'cache-control': 'private, no-cache',
    'x-content-type-options': 'nosniff',
    'content-security-policy': INERT,
    'content-disposition': disposition(artifact.name),
    'content-type': artifact.contentType,
  });
  if (listsEtag(request.headers['if-none-match'], artifact.etag)) return reply.code(304).send();
  const conditional = request.headers['if-range'];
  const ranged = conditional === undefined || conditional === artifact.etag;
  const range = ranged ? readRange(request.headers.range, artifact.sizeBytes) : undefined;
  if (range === null) {
    return reply
      .code(416)
      .header('content-range', `bytes */${artifact.sizeBytes}`)
      .type('application/json')
      .send({
        detail: [
          {
            loc: ['header', 'range'],
            msg: 'Range not satisfiable',
            type: 'bad_request',
            ctx: { sizeBytes: artifact.sizeBytes },
          },
        ],
      });
  }
  if (range === undefined) {
    return reply.header('content-length', artifact.sizeBytes).send(await artifact.open());
  }
  const [start, end] = range;
  return reply
    .code(206)
    .header('content-range', `bytes ${start}-${end}/${artifact.sizeBytes}`)
    .header('content-length', end - start + 1)
    .send(await artifact.open(range));
}
