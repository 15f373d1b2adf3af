import { expect, test } from 'vitest';
import { SourceUnavailable } from '../../connector-error.ts';
import { parseError, parseListing } from './listing-xml.ts';

const page = (key: string, more = ''): string =>
  `<?xml version="1.0"?><ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${more}` +
  `<IsTruncated>true</IsTruncated><Contents><Key>${key}</Key><ETag>&quot;e1&quot;</ETag><Size>7</Size>` +
  `<LastModified>2026-01-02T03:04:05.000Z</LastModified></Contents></ListBucketResult>`;

const keyOf = (xml: string): string | undefined => parseListing(xml).objects[0]?.key;

test('keys are decoded only if the answer names the encoding', () => {
  expect(keyOf(page('a+b%20c', '<EncodingType>url</EncodingType>'))).toBe('a b c');
  expect(keyOf(page('a+b%20c'))).toBe('a+b%20c');
});

test('character references in keys are resolved, and characters that XML forbids are kept', () => {
  expect(keyOf(page('#&#39;&amp;&lt;é'))).toBe("#'&<é");
  expect(keyOf(page('a\u0001b'))).toBe('a\u0001b');
});

test('a page has the fields of its objects', () => {
  expect(parseListing(page('k'))).toEqual({
    objects: [{ key: 'k', etag: '"e1"', sizeBytes: 7, modifiedAt: '2026-01-02T03:04:05.000Z', storageClass: '' }],
    isTruncated: true,
    continuationToken: null,
    nextMarker: null,
  });
});

test('a page that is cut, or is no listing, is a failure', () => {
  const whole = page('k');
  expect(() => parseListing(whole.slice(0, -5))).toThrow(SourceUnavailable);
  expect(() => parseListing('<html><body>Welcome</body></html>')).toThrow(SourceUnavailable);
});

test('an error has its code, its message and the region of the bucket', () => {
  const xml = '<Error><Code>PermanentRedirect</Code><Message>m</Message><Region>eu-west-1</Region></Error>';
  expect(parseError(xml)).toEqual({ code: 'PermanentRedirect', message: 'm', region: 'eu-west-1' });
  expect(parseError('not found')).toEqual({ code: '', message: '', region: null });
});
