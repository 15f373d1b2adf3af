/** Serves the console, an application in the browser that uses the public API only: its page and its files. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { findConsoleFolder } from '../../console-folder.ts';
import { isLoopbackName } from '../loopback.ts';
import { serveStatic, StaticText } from '../static-text.ts';

/** Only files of this service are loaded, and no text becomes code. Pictures come by `fetch` as `blob:`. */
const POLICY = [
  "default-src 'self'",
  "img-src 'self' blob:",
  "object-src 'none'",
  "base-uri 'self'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.md': 'text/markdown; charset=utf-8',
};

/** Addresses that the console answers in the browser. */
const PAGES = ['/', '/w/*', '/collections/*'];
/** Without the console, `/` leads to the description of the API. */
export function registerConsole(app: FastifyInstance, basePath: string): void {
  const folder = findConsoleFolder();
  if (folder === undefined) {
    app.get('/', { config: { template: '/' } }, async (_request, reply) => reply.redirect(`${basePath}/docs`));
    return;
  }
  const page = readFileSync(path.join(folder, 'index.html'), 'utf8').replace(
    '<head>',
    `<head><base href="${basePath}/">`,
  );
  const headers = { 'content-security-policy': POLICY, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' };
  const contentType = 'text/html; charset=utf-8';
  const plain = new StaticText(() => page, { contentType, headers });
  const isolated = { ...headers, 'cross-origin-opener-policy': 'same-origin' };
  const trusted = new StaticText(() => page, { contentType, headers: isolated });
  for (const url of PAGES) serveStatic(app, url, (request) => (isTrustworthy(request) ? trusted : plain));
  registerFiles(app, readFiles(folder));
}

/** Whether browsers trust the origin. On plain HTTP in a network they ignore the opener policy, and report a fault. */
const isTrustworthy = ({ protocol, hostname, headers }: FastifyRequest): boolean =>
  protocol === 'https' || headers['x-forwarded-proto'] === 'https' || isLoopbackName(hostname);

/** Serves the files with the compressed forms that the build writes beside them. */
function registerFiles(app: FastifyInstance, files: ReadonlyMap<string, Buffer>): void {
  const texts = new Map<string, StaticText>();
  for (const [name, bytes] of files) {
    const contentType = TYPES[path.extname(name)];
    if (contentType === undefined) continue;
    const [br, gzip] = [files.get(`${name}.br`), files.get(`${name}.gz`)];
    const coded = { ...(br && { br }), ...(gzip && { gzip }) };
    // The names in `assets/` hold a hash of the content.
    const cacheControl = name.startsWith('assets/') ? 'public, max-age=31536000, immutable' : 'no-cache';
    texts.set(name, new StaticText(() => bytes, { contentType, coded, headers: { 'cache-control': cacheControl } }));
  }
  serveStatic(app, '/assets/*', (_request, name) => texts.get(`assets/${name}`));
  for (const name of ['icon.svg', 'licences.md']) serveStatic(app, `/${name}`, () => texts.get(name));
}

/** Reads all files, about 2 MB with their compressed forms, so that a rebuild does not change what is served. */
function readFiles(folder: string): ReadonlyMap<string, Buffer> {
  const files = new Map<string, Buffer>();
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = path.join(entry.parentPath, entry.name);
    files.set(path.relative(folder, file).split(path.sep).join('/'), readFileSync(file));
  }
  return files;
}
