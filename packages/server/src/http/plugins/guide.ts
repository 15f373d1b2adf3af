/** Serves the guide, the Markdown pages of `docs/guide`, as HTML at `/guide`. */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { FastifyInstance } from 'fastify';
import { notFound } from '../../errors.ts';
import { findGuideFolder } from '../../guide-folder.ts';
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
export async function registerGuide(app: FastifyInstance, basePath: string): Promise<void> {
  const folder = findGuideFolder();
  if (folder === undefined) return;
  const pages = readPages(folder);
  const rendered = new Map<string, string>();
  /** Renders a page when it is first read; all of them would delay the start by a tenth of a second. */
  const htmlOf = (name: string): string => {
    const page = pages.find((each) => each.name === name);
    if (page === undefined) throw notFound();
    const html = rendered.get(name) ?? renderGuidePage(page, pages, { basePath, style: STYLE });
    rendered.set(name, html);
    return html;
  };
  const serve = (url: string, name: (given: string) => string): void => {
    app.get<{ Params: { page?: string } }>(url, { config: { template: url } }, async (request, reply) => {
      const html = htmlOf(name(request.params.page ?? ''));
      return reply.type('text/html; charset=utf-8').header('content-security-policy', POLICY).send(html);
    });
  };
  serve('/guide', () => pages[0]?.name ?? '');
  serve('/guide/:page', (given) => given);
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
