/** Inflates one member of a zip file and checks its size and checksum on the way. */
import { pipeline, Readable } from 'node:stream';
import { crc32, createInflateRaw, inflateRawSync } from 'node:zlib';
import { ContentError } from '@quire/blocks/content-error';
import { readAt, type ZipMember } from './zip-directory.ts';

const LOCAL_HEADER_BYTES = 30;
/** Maximum size of a member that is inflated in one call, in bytes. One call takes a tenth of the time of a stream. */
const SINGLE_CALL_BYTES = 1024 * 1024;
const READ_BYTES = 64 * 1024;
const STORED = 0;
const DEFLATED = 8;

/**
 * Yields the member's bytes. Throws `ContentError` `encrypted`, `unsupported` (a method other than stored and
 * deflated), or `corrupt` if the checksum is wrong or the member is larger than declared. Bytes beyond the declared
 * size are never yielded.
 */
export async function* inflateMember(fd: number, member: ZipMember): AsyncGenerator<Buffer> {
  if (member.encrypted) throw new ContentError('encrypted', 'The member needs a password');
  if (member.method !== STORED && member.method !== DEFLATED) {
    throw new ContentError('unsupported', `The member is packed with the unsupported method ${member.method}`);
  }
  const start = dataOffset(fd, member);
  let count = 0;
  let checksum = 0;
  for await (const bytes of member.method === STORED ? readRaw(fd, start, member) : inflate(fd, start, member)) {
    count += bytes.length;
    if (count > member.declaredBytes)
      throw new ContentError('corrupt', 'The member is larger than the archive declares');
    checksum = crc32(bytes, checksum);
    yield bytes;
  }
  if (count !== member.declaredBytes || checksum !== member.crc32) {
    throw new ContentError('corrupt', 'The member is damaged: its checksum is wrong');
  }
}

function dataOffset(fd: number, member: ZipMember): number {
  const header = readAt(fd, member.offset, LOCAL_HEADER_BYTES);
  if (header.length < LOCAL_HEADER_BYTES || header.readUInt32LE(0) !== 0x04034b50) {
    throw new ContentError('corrupt', 'The member is damaged: its header is missing');
  }
  return member.offset + LOCAL_HEADER_BYTES + header.readUInt16LE(26) + header.readUInt16LE(28);
}

function* readRaw(fd: number, start: number, member: ZipMember): Generator<Buffer> {
  for (let at = 0; at < member.compressedBytes; at += READ_BYTES) {
    yield readAt(fd, start + at, Math.min(READ_BYTES, member.compressedBytes - at));
  }
}

async function* inflate(fd: number, start: number, member: ZipMember): AsyncGenerator<Buffer> {
  try {
    if (member.declaredBytes <= SINGLE_CALL_BYTES && member.compressedBytes <= SINGLE_CALL_BYTES) {
      // One byte more than declared shows that the declared size is wrong.
      yield inflateRawSync(readAt(fd, start, member.compressedBytes), { maxOutputLength: member.declaredBytes + 1 });
      return;
    }
    const source = Readable.from(readRaw(fd, start, member), { objectMode: false });
    // Errors end both streams and are thrown here by the inflater.
    yield* pipeline(source, createInflateRaw(), () => undefined);
  } catch (error) {
    if (error instanceof ContentError) throw error;
    const tooMuch = error instanceof RangeError;
    const message = tooMuch ? 'The member is larger than the archive declares' : 'The member is damaged';
    throw new ContentError('corrupt', message, { cause: error });
  }
}
