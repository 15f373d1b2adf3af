import type { MultipartFile } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import { chunksOf, refuseTooLarge } from './request-body.ts';

/**
 * The bytes of a part that is no file; 413 over the limit. A file's limit is far above what is to be held in memory.
 */
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
