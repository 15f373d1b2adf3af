import CFB from 'cfb';
import { describe, expect, it } from 'vitest';
import { bytesSource, CompoundFile } from './compound-file.ts';

/** Builds the file with another implementation. */
function written(streams: Record<string, Buffer>): Buffer {
  const file = CFB.utils.cfb_new();
  for (const [name, bytes] of Object.entries(streams)) CFB.utils.cfb_add(file, name, bytes);
  return Buffer.from(CFB.write(file, { type: 'array' }));
}

const numbered = (length: number): Buffer => Buffer.from(Array.from({ length }, (_, index) => index % 251));
const large = numbered(300_000);
const small = numbered(100);
const bytes = written({ '/Large': large, '/Small': small, '/Folder/Small': numbered(70), '/Folder/Inner': small });

describe('CompoundFile', () => {
  it('reads long streams, and short ones from the shared stream', () => {
    const file = CompoundFile.open(bytesSource(bytes));
    expect(file?.stream('large')?.equals(large)).toBe(true);
    expect(file?.stream('SMALL')).toEqual(small);
    expect(file?.stream('inner')).toEqual(small);
    expect(file?.stream('none')).toBeUndefined();
    expect(file?.entries.map(({ name, isStream, depth }) => [name, isStream, depth])).toEqual(
      expect.arrayContaining([
        ['Large', true, 1],
        ['Folder', false, 1],
        ['Inner', true, 2],
      ]),
    );
  });

  it('returns undefined for other files, and reads what remains of a truncated one', () => {
    expect(CompoundFile.open(bytesSource(Buffer.alloc(4096)))).toBeUndefined();
    expect(CompoundFile.open(bytesSource(bytes.subarray(0, 600)))).toBeUndefined();
    for (let length = 700; length < bytes.length; length += 777) {
      const rest = CompoundFile.open(bytesSource(bytes.subarray(0, length)))?.stream('Large');
      expect(rest === undefined || rest.length <= large.length).toBe(true);
    }
  });

  it('ends chains that loop at the length of the stream', () => {
    const looped = Buffer.from(bytes);
    const tableAt = (looped.readUInt32LE(76) + 1) * 512;
    for (let at = tableAt; at < tableAt + 512; at += 4) looped.writeUInt32LE(0, at);
    const file = CompoundFile.open(bytesSource(looped));
    expect(file?.stream('Large')?.length ?? 0).toBeLessThanOrEqual(looped.length);
  });
});
