/**
 * Serves `/openapi.json` and `/docs`, the description of the API and its page; the page loads nothing from elsewhere.
 * The files of the page are those of Swagger UI.
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance } from 'fastify';
import { EventLoopTurns } from '@quire/shared/event-loop-turns';
import type { JsonSchema } from '../openapi/schemas.ts';
import { serveStatic, StaticText } from '../static-text.ts';

/** Names no other host and does not force HTTPS, so that the page works on any address the service is reached at. */
const POLICY = [
  "default-src 'self'",
  "base-uri 'self'",
  "font-src 'self' data:",
  "frame-ancestors 'self'",
  "img-src 'self' data:",
  "object-src 'none'",
  "script-src 'self'",
  "script-src-attr 'none'",
  "style-src 'self' 'unsafe-inline'",
].join('; ');
const HEADERS = { 'content-security-policy': POLICY };

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
};
const HTML = 'text/html; charset=utf-8';
const JSON_TYPE = 'application/json; charset=utf-8';

/** Describes the API in parts that return nothing, and last the document. */
export type DescribeApi = () => Generator<undefined, JsonSchema>;

/** Calls `describe` at the first request: it takes about 250 ms of processor time, which a start need not wait for. */
export function registerDocs(app: FastifyInstance, describe: DescribeApi, basePath: string): void {
  const description = new StaticText(() => writeDescription(describe), { contentType: JSON_TYPE, headers: HEADERS });
  const root = `${basePath}/docs`;
  const page = new StaticText(() => pageOf(root), { contentType: HTML, headers: HEADERS });
  const files = new Map(pageFiles());
  const start = { contentType: TYPES['.js'] ?? '', headers: HEADERS };
  files.set('start.js', new StaticText(() => startOf(root), start));
  serveStatic(app, '/openapi.json', () => description);
  serveStatic(app, '/docs', () => page);
  serveStatic(app, '/docs/json', () => description);
  serveStatic(app, '/docs/static/*', (_request, name) => files.get(name));
}

/** Writes the description in many turns of the event loop, so that other requests are answered meanwhile. */
async function writeDescription(describe: DescribeApi): Promise<string> {
  const turns = new EventLoopTurns(new AbortController().signal);
  const describing = describe();
  for (;;) {
    const { done, value } = describing.next();
    if (done === true) return JSON.stringify(value);
    await turns.pass();
  }
}

/** Returns the files of Swagger UI that the page needs, by name. Each is read at the first request for it. */
function pageFiles(): [string, StaticText][] {
  const folder = path.join(path.dirname(fileURLToPath(import.meta.resolve('@fastify/swagger-ui'))), 'static');
  return readdirSync(folder).flatMap((name): [string, StaticText][] => {
    const contentType = TYPES[path.extname(name)];
    if (contentType === undefined) return [];
    const compressible = !contentType.startsWith('image/');
    const read = (): Buffer => readFileSync(path.join(folder, name));
    return [[name, new StaticText(read, { contentType, compressible, headers: HEADERS })]];
  });
}

const pageOf = (root: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Quire: the API</title>
<link rel="stylesheet" href="${root}/static/swagger-ui.css">
<link rel="stylesheet" href="${root}/static/index.css">
<link rel="icon" type="image/png" href="${root}/static/favicon-32x32.png" sizes="32x32">
</head>
<body>
<div id="swagger-ui"></div>
<script src="${root}/static/swagger-ui-bundle.js"></script>
<script src="${root}/static/swagger-ui-standalone-preset.js"></script>
<script src="${root}/static/start.js"></script>
</body>
</html>
`;

/** The layout leaves out the top bar, which has a field for descriptions of other services. */
const startOf = (root: string): string => `window.onload = () => {
  SwaggerUIBundle({
    dom_id: '#swagger-ui',
    url: ${JSON.stringify(`${root}/json`)},
    deepLinking: true,
    presets: [SwaggerUIBundle.presets.apis, SwaggerUIStandalonePreset],
    plugins: [SwaggerUIBundle.plugins.DownloadUrl],
    layout: 'BaseLayout',
    validatorUrl: null,
    persistAuthorization: false,
    displayOperationId: true,
    docExpansion: 'list',
  });
};
`;
