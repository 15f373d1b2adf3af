import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readCheckedDirectory } from './open-archive.ts';
import { makeZip } from './testing/make-zip.ts';
import { readZipDirectory, type ZipDirectory } from './zip-directory.ts';

const limits = { maxInflatedBytes: 1_000_000, maxArchiveEntries: 100, maxArchiveRatio: 100, maxArchiveDepth: 3 };
let root: string;

beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'quire-zip-test-'));
});
afterEach(() => rmSync(root, { recursive: true }));

function opened<Result>(zip: Buffer, use: (fd: number, sizeBytes: number) => Result): Result {
  const file = path.join(root, 'a.zip');
  writeFileSync(file, zip);
  const fd = openSync(file, 'r');
  try {
    return use(fd, zip.length);
  } finally {
    closeSync(fd);
  }
}

const read = (zip: Buffer): ZipDirectory => opened(zip, (fd, size) => readZipDirectory(fd, size, 100));
const check = (zip: Buffer, overrides: Partial<typeof limits> = {}): ZipDirectory =>
  opened(zip, (fd, size) => readCheckedDirectory(fd, size, { ...limits, ...overrides }));

const part = { name: 'a.txt', data: 'hello' };

describe('readZipDirectory', () => {
  it('reads names, sizes and offsets', () => {
    expect(read(makeZip([part])).members).toEqual([
      {
        name: 'a.txt',
        method: 8,
        encrypted: false,
        symlink: false,
        directory: false,
        crc32: 0x3610a686,
        compressedBytes: 7,
        declaredBytes: 5,
        offset: 0,
        nameBytes: 5,
      },
    ]);
  });
  it('reads sizes and offsets from zip64 fields', () => {
    const [member] = read(makeZip([{ ...part, wide: true }])).members;
    expect([member?.declaredBytes, member?.compressedBytes, member?.offset]).toEqual([5, 7, 0]);
  });
  it('finds the members after leading bytes', () => {
    expect(read(makeZip([part], { before: '#!/bin/sh\n' })).members[0]?.offset).toBe(10);
  });
  it('accepts bytes after the archive', () => {
    expect(read(makeZip([part], { after: 'trailing' })).members).toHaveLength(1);
  });
  it('refuses a file without a directory', () => {
    const zip = makeZip([part]);
    expect(() => read(zip.subarray(0, zip.length - 30))).toThrow('There is no directory at the end');
  });
  it('refuses more members than allowed, regardless of the declared count', () => {
    const zip = makeZip(Array.from({ length: 101 }, (_, index) => ({ name: `${index}.txt` })));
    zip.writeUInt16LE(1, zip.length - 12);
    zip.writeUInt16LE(1, zip.length - 14);
    expect(() => read(zip)).toThrow('more than 100 members');
  });
});

const zeros = (bytes: number): Buffer => makeZip([{ name: 'a', data: Buffer.alloc(bytes) }]);

describe('readCheckedDirectory', () => {
  it('passes an ordinary archive', () => {
    expect(check(makeZip([part, { name: 'dir/', method: 0 }])).members).toHaveLength(2);
  });
  it('refuses an archive that unpacks to more than the limit', () => {
    const zip = makeZip([
      { name: 'a', data: Buffer.alloc(600, 'ab') },
      { name: 'b', data: Buffer.alloc(600, 'ab') },
    ]);
    expect(() => check(zip, { maxInflatedBytes: 1000 })).toThrow(
      expect.objectContaining({ kind: 'tooLarge', limit: 1000 }),
    );
  });
  it('refuses a ratio above the limit only beyond 100 KiB', () => {
    expect(() => check(zeros(200 * 1024))).toThrow(expect.objectContaining({ kind: 'tooLarge', limit: 100 }));
    expect(check(zeros(100 * 1024)).members).toHaveLength(1);
  });
  it('excludes 16 MiB of pictures of an office file from the ratio, but none of its XML', () => {
    const office = (name: string, bytes: number): Buffer =>
      makeZip([{ name: '[Content_Types].xml' }, { name, data: Buffer.alloc(bytes) }]);
    const wide = { maxInflatedBytes: 1e9 };
    expect(check(office('word/media/image1.emf', 16 * 1024 * 1024), wide).members).toHaveLength(2);
    const tooTight = expect.objectContaining({ kind: 'tooLarge', limit: 100 });
    expect(() => check(office('word/document.xml', 200 * 1024), wide)).toThrow(tooTight);
    expect(() => check(office('word/media/image1.emf', 32 * 1024 * 1024), wide)).toThrow(tooTight);
    const pictures = Array.from({ length: 12 }, (_, index) => ({
      name: `${index}.emf`,
      data: Buffer.alloc(2_000_000),
    }));
    expect(() => check(makeZip([{ name: 'mimetype' }, ...pictures]), wide)).toThrow(tooTight);
    expect(() => check(makeZip(pictures.slice(0, 1)), wide)).toThrow(tooTight);
  });
  it('refuses members that share their bytes', () => {
    expect(() => check(makeZip([part, { ...part, name: 'b.txt', offset: 0 }]))).toThrow(
      'Members of the archive overlap',
    );
  });
  it('refuses an impossible size', () => {
    const noise = Buffer.from(Array.from({ length: 5000 }, (_, index) => (index * 7919) % 251));
    expect(() => check(makeZip([{ name: 'a', data: noise, method: 0, declaredBytes: 10 }]))).toThrow(
      expect.objectContaining({ kind: 'corrupt' }),
    );
  });
  it('recognises an archive whose members are all encrypted', () => {
    expect(() => check(makeZip([{ ...part, flags: 0x801 }]))).toThrow(expect.objectContaining({ kind: 'encrypted' }));
  });
});
