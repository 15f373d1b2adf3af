import { expect, test } from 'vitest';
import { readFileName } from './content-disposition.ts';

/** Bytes as Node hands headers over: one Latin-1 character a byte. */
const bytes = (text: string): string => Buffer.from(text).toString('latin1');

test.each<[header: string, name: string | undefined]>([
  ['attachment; filename="report.pdf"', 'report.pdf'],
  ['attachment; filename=report.pdf', 'report.pdf'],
  ['ATTACHMENT;FILENAME = "report.pdf" ; size=3', 'report.pdf'],
  ['filename="report.pdf"', 'report.pdf'],
  ['form-data; name="file"; filename="a;b.pdf"', 'a;b.pdf'],
  [String.raw`attachment; filename="say \"hi\".txt"`, 'say "hi".txt'],
  [String.raw`attachment; filename="C:\temp\a.txt"`, String.raw`C:\temp\a.txt`],
  ['attachment; filename="old.txt"; filename*=UTF-8\'\'na%C3%AFve%20%E2%82%AC.txt', 'naïve €.txt'],
  ['attachment; filename*=UTF-8\'\'new.txt; filename="old.txt"', 'new.txt'],
  ["attachment; filename*=utf-8'en'new.txt", 'new.txt'],
  ["attachment; filename*=ISO-8859-1''na%EFve.txt", 'naïve.txt'],
  ["attachment; filename*=UTF-8''broken%FF.txt; filename=good.txt", 'good.txt'],
  ["attachment; filename*=KOI8-R''x.txt; filename=good.txt", 'good.txt'],
  ["attachment; filename*=UTF-8''50%.txt; filename=good.txt", 'good.txt'],
  [bytes('attachment; filename="naïve €.txt"'), 'naïve €.txt'],
  ['attachment; filename="na\u00efve.txt"', 'naïve.txt'],
  ['attachment; filename=""', ''],
  ['attachment', undefined],
  ['', undefined],
])('%s names %j', (header, name) => {
  expect(readFileName(header)).toBe(name);
});

test('a hostile header takes no time', () => {
  expect(readFileName(`attachment; filename="${'\\'.repeat(50_000)}`)).toBeDefined();
  expect(readFileName(`attachment${'; a=b'.repeat(20_000)}`)).toBeUndefined();
});
