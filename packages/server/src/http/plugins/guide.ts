/** Serves the guide, the Markdown pages of `docs/guide`, as HTML at `/guide`. */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { FastifyInstance } from 'fastify';
import { findGuideFolder } from '../../guide-folder.ts';
import { serveStatic, StaticText } from '../static-text.ts';
import { renderGuidePage, type GuidePage } from './guide-page.ts';

const STYLE = `body{font:16px/1.6 system-ui,sans-serif;max-width:52rem;margin:2rem auto;padding:0 1rem;color:#1a1a1a;background:#fff}
a{color:#0b57d0}nav{border-bottom:1px solid #ccc;padding-bottom:.75rem}nav a{margin-right:.75rem;white-space:nowrap}
nav a[aria-current]{font-weight:600;color:inherit;text-decoration:none}
pre{background:#f4f4f4;padding:.75rem;overflow-x:auto}code{font:.9em/1.5 ui-monospace,monospace}
table{border-collapse:collapse;display:block;overflow-x:auto}td,th{border:1px solid #ccc;padding:.3rem .6rem;text-align:left;vertical-align:top}
@media(prefers-color-scheme:dark){body{color:#e6e6e6;background:#161616}a{color:#8ab4f8}pre{background:#242424}td,th,nav{border-color:#444}}`;
const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
].join('; ');

/** Does nothing when the guide is not installed. */
export function registerGuide(app: FastifyInstance, basePath: string): void {
  const folder = findGuideFolder();
  if (folder === undefined) return;
  const pages = readPages(folder);
  /** A page is rendered when it is first read; all of them would delay the start by a tenth of a second. */
  const textOf = (page: GuidePage): StaticText =>
    new StaticText(() => renderGuidePage(page, pages, { basePath, style: STYLE }), {
      contentType: 'text/html; charset=utf-8',
      headers: { 'content-security-policy': POLICY },
    });
  const texts = new Map(pages.map((page) => [page.name, textOf(page)]));
  serveStatic(app, '/guide', () => texts.get(pages[0]?.name ?? ''));
  serveStatic(app, '/guide/:name', (_request, name) => texts.get(name));
}

/** Reads the pages; the README, if it is there, comes first. */
function readPages(folder: string): GuidePage[] {
  const files = readdirSync(folder)
    .filter((file) => file.endsWith('.md'))
    .toSorted()
    .map((file) => path.join(folder, file));
  const readme = path.join(folder, '../../README.md');
  return [...(existsSync(readme) ? [readme] : []), ...files].map((file) => ({
    name: path.basename(file, '.md').toLowerCase(),
    markdown: readFileSync(file, 'utf8'),
  }));
}
