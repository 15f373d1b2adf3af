/** Serves the console, an application in the browser that uses the public API only: its page and its files. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { findConsoleFolder } from '../../console-folder.ts';
import { notFound } from '../../errors.ts';
import { isLoopbackName } from '../loopback.ts';

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
/** Content codings that the build writes beside each file, in order of preference. */
const CODINGS = [
  { name: 'br', suffix: '.br' },
  { name: 'gzip', suffix: '.gz' },
];

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
  for (const url of PAGES) {
    app.get(url, { config: { template: url } }, async (request, reply) =>
      reply
        .headers({
          'content-security-policy': POLICY,
          'cache-control': 'no-store',
          'referrer-policy': 'no-referrer',
          ...(isTrustworthy(request) && { 'cross-origin-opener-policy': 'same-origin' }),
        })
        .type('text/html; charset=utf-8')
        .send(page),
    );
  }
  registerFiles(app, readFiles(folder));
}

/** Whether browsers trust the origin. On plain HTTP in a network they ignore the opener policy, and report a fault. */
const isTrustworthy = ({ protocol, hostname, headers }: FastifyRequest): boolean =>
  protocol === 'https' || headers['x-forwarded-proto'] === 'https' || isLoopbackName(hostname);

function registerFiles(app: FastifyInstance, files: ReadonlyMap<string, Buffer>): void {
  const serve = (url: string, nameOf: (rest: string) => string, cacheControl: string): void => {
    app.get<{ Params: { '*'?: string } }>(url, { config: { template: url } }, async (request, reply) => {
      const name = nameOf(request.params['*'] ?? '');
      const type = TYPES[path.extname(name)];
      if (type === undefined || !files.has(name)) throw notFound();
      void reply.header('cache-control', cacheControl).type(type);
      return sendCoded(reply, files, name, request.headers['accept-encoding']);
    });
  };
  // The names in `assets/` hold a hash of the content.
  serve('/assets/*', (rest) => `assets/${rest}`, 'public, max-age=31536000, immutable');
  for (const name of ['icon.svg', 'licences.md']) serve(`/${name}`, () => name, 'no-cache');
}

/** Sends the smallest stored form of the file that the client accepts. */
function sendCoded(
  reply: FastifyReply,
  files: ReadonlyMap<string, Buffer>,
  name: string,
  accepted: string | string[] | undefined,
): FastifyReply {
  const offered = String(accepted ?? '')
    .split(',')
    .map((each) => each.trim())
    .filter((each) => !/;\s*q=0(?:\.0+)?$/.test(each))
    .map((each) => each.split(';')[0]);
  const coding = CODINGS.find(({ name: coded, suffix }) => offered.includes(coded) && files.has(name + suffix));
  void reply.header('vary', 'accept-encoding');
  if (coding !== undefined) void reply.header('content-encoding', coding.name);
  return reply.send(files.get(name + (coding?.suffix ?? '')));
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
