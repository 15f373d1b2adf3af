import type { MultipartFile } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import { chunksOf, refuseTooLarge } from './request-body.ts';
import type { Traffic } from './traffic/traffic.ts';

/** Steps in bytes in which memory for a field is reserved; its size is not known before its end. */
const STEP_BYTES = 256 * 1024;

/** Returns the bytes of a part that is not a file. Throws 413 above `limit`, which bounds the memory of the part. */
export async function readField(
  request: FastifyRequest,
  part: MultipartFile,
  limit: number,
  traffic?: Traffic,
): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  let reserved = STEP_BYTES / 4;
  for await (const chunk of chunksOf(part.file)) {
    size += chunk.length;
    if (size > limit) throw await refuseTooLarge(request.raw, 'body_too_large', limit, part.fieldname);
    for (; size > reserved; reserved += STEP_BYTES) await traffic?.reserveBody(request, STEP_BYTES);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
