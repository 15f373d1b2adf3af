import { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { expect, test } from 'vitest';
import { ArchiveWriter } from './archive.ts';

const REASON = 'Error: no space left on device';

const full = (): Writable =>
  new Writable({ write: (_bytes, _encoding, done) => setImmediate(done, new Error('no space left on device')) });

// More than the streams buffer.
const content = Buffer.alloc(4_000_000, 1);

const failures = async (promises: readonly Promise<void>[]): Promise<string[]> =>
  (await Promise.allSettled(promises)).map((each) => (each.status === 'rejected' ? String(each.reason) : 'written'));

test('an entry that waits for the disk rejects when it fails, and ends no process', async () => {
  const archive = new ArchiveWriter();
  const writing = pipeline(archive.stream, full());
  const entries = ['a', 'b'].map((name) => archive.add(name, content));
  expect(await failures([writing, ...entries])).toEqual([REASON, 'written', REASON]);
});

test('an entry from a stream rejects when the archive cannot be written, and ends no process', async () => {
  const archive = new ArchiveWriter();
  const writing = pipeline(archive.stream, full());
  const parts = Array.from({ length: 40 }, () => content.subarray(0, 100_000));
  const entry = archive.addStream('a', content.length, Readable.from(parts));
  expect(await failures([writing, entry])).toEqual([REASON, REASON]);
});
