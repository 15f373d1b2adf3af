import type { MultipartFile } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import { chunksOf, refuseTooLarge } from './request-body.ts';

/** Returns the bytes of a part that is not a file. Throws 413 above `limit`, which bounds the memory of the part. */
export async function readField(request: FastifyRequest, part: MultipartFile, limit: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of chunksOf(part.file)) {
    size += chunk.length;
    if (size > limit) throw await refuseTooLarge(request.raw, 'body_too_large', limit, part.fieldname);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
