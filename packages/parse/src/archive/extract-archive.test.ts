import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ArchiveMember } from './archive-member.ts';
import { extractArchive } from './extract-archive.ts';
import { listMembers } from './list-members.ts';
import type { ArchiveLimits } from './zip-limits.ts';
import { makeZip, type ZipPart } from './testing/make-zip.ts';

const limits = { maxInflatedBytes: 10_000_000, maxArchiveEntries: 50, maxArchiveRatio: 100, maxArchiveDepth: 3 };
let root: string;

beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'quire-extract-test-'));
  mkdirSync(path.join(root, 'out'));
  mkdirSync(path.join(root, 'temp'));
});
afterEach(() => rmSync(root, { recursive: true }));

function extract(zip: Buffer, overrides: Partial<ArchiveLimits> = {}): Promise<ArchiveMember[]> {
  const file = path.join(root, 'archive.zip');
  writeFileSync(file, zip);
  const context = { tempDir: path.join(root, 'temp'), onProgress: () => undefined };
  return extractArchive(file, path.join(root, 'out'), { ...limits, ...overrides }, context);
}

const outcomes = (members: readonly ArchiveMember[]): Record<string, string> =>
  Object.fromEntries(members.map(({ archivePath, format, failure }) => [archivePath, failure?.type ?? format ?? '']));

const nested = (levels: number, inner: ZipPart): Buffer =>
  levels === 1 ? makeZip([inner]) : makeZip([{ name: 'inner.zip', data: nested(levels - 1, inner), method: 0 }]);

describe('extractArchive', () => {
  it('writes members to numbered files and reports their formats', async () => {
    const [first, second] = await extract(
      makeZip([
        { name: 'notes/a.md', data: '# A' },
        { name: 'b.txt', data: 'stored', method: 0 },
      ]),
    );
    expect(first).toEqual({
      archivePath: 'notes/a.md',
      name: 'a.md',
      path: path.join(root, 'out', '1'),
      sizeBytes: 3,
      sha256: createHash('sha256').update('# A').digest('hex'),
      format: 'markdown',
      contentType: 'text/markdown',
      failure: null,
    });
    expect(readFileSync(second!.path!, 'utf8')).toBe('stored');
  });

  it('extracts a member that is too large for a single inflate call', async () => {
    const data = Buffer.from(Array.from({ length: 300_000 }, (_, line) => `line ${line}`).join('\n'));
    const [member] = await extract(makeZip([{ name: 'long.txt', data }]));
    expect(member?.failure).toBeNull();
    expect(readFileSync(member!.path!).equals(data)).toBe(true);
  });

  it('reports each damaged member and continues with the others', async () => {
    const members = await extract(
      makeZip([
        { name: 'wrong-checksum.txt', data: 'text', crc: 1 },
        { name: 'password.txt', data: 'text', flags: 0x801, method: 0 },
        { name: 'method.txt', data: 'text', method: 93 },
        { name: 'program.exe', data: 'MZ' },
        { name: 'picture.png', data: 'no picture at all' },
        { name: 'empty.txt', data: '' },
        { name: 'good.txt', data: 'text' },
      ]),
    );
    expect(outcomes(members)).toEqual({
      'wrong-checksum.txt': 'corrupt',
      'password.txt': 'encrypted',
      'method.txt': 'unsupported',
      'program.exe': 'unsupported',
      'picture.png': 'unsupported',
      'empty.txt': 'no_text',
      'good.txt': 'txt',
    });
    expect(readdirSync(path.join(root, 'out'))).toEqual(['7']);
  });

  it('writes nothing outside the directory for unsafe names and for links', async () => {
    const outside = path.join(tmpdir(), 'quire-extract-outside.txt');
    const members = await extract(
      makeZip([
        { name: '../../quire-extract-outside.txt', data: 'x' },
        { name: outside, data: 'x' },
        { name: '..\\..\\win.txt', data: 'x' },
        { name: 'link.txt', data: '/etc/passwd', mode: 0o120777 },
        { name: 'good.txt', data: 'x' },
      ]),
    );
    expect(members.map((member) => member.failure?.type ?? 'unpacked')).toEqual([
      'unsupported',
      'unsupported',
      'unsupported',
      'unsupported',
      'unpacked',
    ]);
    expect(existsSync(outside)).toBe(false);
    expect(readdirSync(path.join(root, 'out'))).toEqual(['5']);
  });

  it('gives every member a unique path', async () => {
    const members = await extract(
      makeZip([
        { name: 'same.txt', data: 'first' },
        { name: 'same.txt', data: 'second' },
        { name: 'SAME.TXT', data: 'third' },
      ]),
    );
    expect(members.map((member) => member.archivePath)).toEqual(['same.txt', 'same (2).txt', 'SAME (3).TXT']);
  });

  it('leaves out folders and files that operating systems add', async () => {
    const members = await extract(
      makeZip([
        { name: 'folder/', method: 0 },
        { name: '__MACOSX/._a.txt', data: 'x' },
        { name: 'folder/.DS_Store', data: 'x' },
        { name: 'folder/a.txt', data: 'x' },
      ]),
    );
    expect(Object.keys(outcomes(members))).toEqual(['folder/a.txt']);
  });

  it('stops a member that inflates to more than the archive declares', async () => {
    const data = Buffer.alloc(3000, 'abc');
    const members = await extract(makeZip([{ name: 'lie.txt', data, declaredBytes: 2000 }]));
    expect(members[0]?.failure).toEqual({ type: 'corrupt', message: 'The member is larger than the archive declares' });
  });

  it('stops a large member that inflates to more than the archive declares', async () => {
    const data = Buffer.from(Array.from({ length: 500_000 }, (_, line) => line.toString(36)).join(' '));
    const members = await extract(makeZip([{ name: 'lie.txt', data, declaredBytes: data.length - 1 }]));
    expect(members[0]?.failure).toEqual({ type: 'corrupt', message: 'The member is larger than the archive declares' });
    expect(readdirSync(path.join(root, 'out'))).toEqual([]);
  });

  it('keeps archives down to the third level as members', async () => {
    expect(outcomes(await extract(nested(3, { name: 'deep.txt', data: 'x' })))).toEqual({ 'inner.zip': 'zip' });
  });

  it('refuses an archive that goes to the fourth level', async () => {
    const members = await extract(nested(4, { name: 'deep.txt', data: 'x' }));
    expect(members[0]?.failure).toEqual({ type: 'too_large', message: 'Archives are nested more than 3 deep' });
  });

  it('limits the total unpacked size of all nested archives', async () => {
    const inner = makeZip([{ name: 'a.txt', data: Buffer.alloc(90_000, 'x') }]);
    const zip = makeZip(['1', '2', '3'].map((name) => ({ name: `${name}.zip`, data: inner })));
    expect(outcomes(await extract(zip, { maxInflatedBytes: 200_000 }))).toEqual({
      '1.zip': 'zip',
      '2.zip': 'zip',
      '3.zip': 'too_large',
    });
  });

  it('writes no member that would leave less free space than the floor', async () => {
    const zip = makeZip([{ name: 'a.txt', data: 'x' }]);
    await expect(extract(zip, { minFreeBytes: 1e18 })).rejects.toMatchObject({ name: 'StorageFull', code: 'ENOSPC' });
    expect(readdirSync(path.join(root, 'out'))).toEqual([]);
  });

  it('fails as a whole when every member needs a password', async () => {
    const zip = makeZip([{ name: 'a.txt', data: 'x', flags: 0x801, method: 0 }]);
    await expect(extract(zip)).rejects.toMatchObject({ name: 'ContentError', type: 'encrypted' });
  });
});

it('lists members with the sizes that the archive declares', async () => {
  const file = path.join(root, 'archive.zip');
  writeFileSync(
    file,
    makeZip([
      { name: 'a.txt', data: 'four' },
      { name: 'dir/', method: 0 },
    ]),
  );
  expect(await listMembers(file, limits)).toEqual([{ archivePath: 'a.txt', sizeBytes: 4 }]);
});
