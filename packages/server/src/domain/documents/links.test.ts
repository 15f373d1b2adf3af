import { expect, test } from 'vitest';
import { signLink, verifyLink } from './links.ts';

const key = Buffer.alloc(32, 7);
const document = { id: 'd', workspace_id: 'w', collection_id: 'c' };
const query = (path: string) => {
  const url = new URL(path, 'http://localhost');
  return { expires: url.searchParams.get('expires') ?? '', signature: url.searchParams.get('signature') ?? '' };
};

test('a signed link is valid until it expires, for its own artifact and document only', () => {
  const link = query(signLink(document, 'original', new Date(10_000), key));
  expect(verifyLink(document, 'original', link, key, 10_000)).toBe(true);
  expect(verifyLink(document, 'original', link, key, 10_001)).toBe(false);
  expect(verifyLink(document, 'html', link, key, 0)).toBe(false);
  expect(verifyLink({ ...document, id: 'e' }, 'original', link, key, 0)).toBe(false);
  expect(verifyLink(document, 'original', { ...link, expires: '99999' }, key, 0)).toBe(false);
  expect(verifyLink(document, 'original', link, Buffer.alloc(32, 8), 0)).toBe(false);
});
