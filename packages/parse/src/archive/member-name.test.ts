import { crc32 } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { decodeMemberName, isJunk, safeMemberPath } from './member-name.ts';

const NO_EXTRA = Buffer.alloc(0);

describe('decodeMemberName', () => {
  it('reads UTF-8 if the flag is set', () => {
    expect(decodeMemberName(Buffer.from('名前.txt'), NO_EXTRA, true)).toBe('名前.txt');
  });
  it('reads UTF-8 without the flag if the bytes are valid UTF-8', () => {
    expect(decodeMemberName(Buffer.from('Grüße.txt'), NO_EXTRA, false)).toBe('Grüße.txt');
  });
  it('reads CP437 if no other encoding fits', () => {
    expect(decodeMemberName(Buffer.from([0x47, 0x72, 0x81, 0xe1, 0x65]), NO_EXTRA, false)).toBe('Grüße');
  });
  it('reads Shift_JIS names of Japanese Windows', () => {
    const raw = Buffer.from('93fa967b8cea2e747874', 'hex');
    expect(decodeMemberName(raw, NO_EXTRA, false)).toBe('日本語.txt');
  });
  it('reads GBK names of Chinese Windows', () => {
    const raw = Buffer.from('d6d0cec4cec4b5b52e747874', 'hex');
    expect(decodeMemberName(raw, NO_EXTRA, false)).toBe('中文文档.txt');
  });
  it('prefers the Unicode path field if its checksum matches the name', () => {
    const raw = Buffer.from([0xff, 0x2e, 0x61]);
    const name = Buffer.from('žluť.a');
    const field = Buffer.alloc(9);
    field.writeUInt16LE(0x7075, 0);
    field.writeUInt16LE(5 + name.length, 2);
    field[4] = 1;
    field.writeUInt32LE(crc32(raw), 5);
    expect(decodeMemberName(raw, Buffer.concat([field, name]), false)).toBe('žluť.a');
  });
});

describe('safeMemberPath', () => {
  it.each([
    ['a/b.txt', 'a/b.txt'],
    ['a\\b.txt', 'a/b.txt'],
    ['./a//b.txt', 'a/b.txt'],
    ['..a/b..txt', '..a/b..txt'],
  ])('reads the path %s as %s', (name, path) => {
    expect(safeMemberPath(name)).toBe(path);
  });
  it.each(['../a', 'a/../../b', '/etc/passwd', '\\\\host\\share', 'C:\\a', '..\\a', 'a\0b', '', '/', '.'])(
    'refuses %j',
    (name) => {
      expect(safeMemberPath(name)).toBeUndefined();
    },
  );
});

it('recognises files that operating systems add', () => {
  const names = ['__MACOSX/a.txt', 'a/.DS_Store', 'a/._b.txt', 'Thumbs.db', 'desktop.ini', 'a.txt', '.hidden.txt'];
  expect(names.filter((name) => !isJunk(name))).toEqual(['a.txt', '.hidden.txt']);
});
