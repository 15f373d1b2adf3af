import { expect, test } from 'vitest';
import { renderGuidePage, type GuidePage } from './guide-page.ts';

const pages: GuidePage[] = [
  {
    name: 'readme',
    markdown: '# Quire\n\nSee [search](docs/guide/search.md#filters) and [the design](ARCHITECTURE.md).',
  },
  {
    name: 'search',
    markdown:
      '# Search & more\n\n## Filters\n\n## Filters\n\n<script>alert(1)</script> [home](../../README.md) [top](#filters)',
  },
];
const render = (at: number, basePath = ''): string => renderGuidePage(pages[at]!, pages, { basePath, style: 'a{}' });

test('links lead to pages under the base path; a link to another file becomes its text', () => {
  const html = render(0, '/quire');
  expect(html).toContain('See <a href="/quire/guide/search#filters">search</a> and the design.');
  expect(html).toContain('<a href="/quire/guide/readme" aria-current="page">Quire</a>');
});

test('headings have the ids that links use, and a repeated one a number', () => {
  const html = render(1);
  expect(html).toContain('<h1 id="search--more">Search &amp; more</h1>');
  expect(html).toContain('<h2 id="filters">Filters</h2>');
  expect(html).toContain('<h2 id="filters-1">Filters</h2>');
  expect(html).toContain('<a href="/guide/readme">home</a> <a href="#filters">top</a>');
});

test('a picture, which is not served, becomes its description', () => {
  const page = { name: 'readme', markdown: '# Quire\n\n![An answer](docs/pictures/answer.webp)' };
  const html = renderGuidePage(page, [page], { basePath: '', style: 'a{}' });
  expect(html).toContain('<p>An answer</p>');
  expect(html).not.toContain('<img');
});

test('HTML in a page is shown as text', () => {
  expect(render(1)).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
});
