import { expect, test } from 'vitest';
import { placeOf } from './sources.ts';

test.each([
  [{ startUrls: ['https://a.example/', 'https://b.example/'], maxDepth: 2 }, 'https://a.example/, https://b.example/'],
  [{ startUrls: [], sitemaps: ['https://a.example/sitemap.xml'] }, 'https://a.example/sitemap.xml'],
  [{ bucket: 'manuals', prefix: 'contracts/', secretAccessKey: '••••cket' }, 'manuals/contracts/'],
  [{ bucket: 'manuals', prefix: null }, 'manuals'],
  [{ service: 'webdav', url: 'https://cloud.example/dav/team' }, 'https://cloud.example/dav/team'],
  [{ protocol: 'sftp', host: 'files.example', port: 22, path: '/in' }, 'files.example/in'],
  [{ service: 'google_drive', clientId: 'x' }, ''],
])('the source of the settings %j is %j', (config, place) => {
  expect(placeOf({ config })).toBe(place);
});
