import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { SingleAnswers } from '../../domain/chats/single-answers.ts';
import type { CollectionService } from '../../domain/collections/service.ts';
import type { DocumentContent } from '../../domain/documents/content.ts';
import type { DocumentService } from '../../domain/documents/service.ts';
import type { PagePictures } from '../../domain/pages/page-pictures.ts';
import type { RemoteFiles } from '../../domain/runs/remote-files.ts';
import type { RunService } from '../../domain/runs/service.ts';
import type { SearchService } from '../../domain/search/service.ts';
import type { Logger } from '../../logger.ts';
import type { Metrics } from '../../metrics.ts';
import { decodeUtf8 } from '../../validation/json.ts';
import { readCountedBody } from '../request-body.ts';
import type { Traffic } from '../traffic/traffic.ts';
import { route, type Route } from '../route.ts';
import { toAuthInfo, type McpCaller } from './caller.ts';
import { refusedMessage } from './checked-body.ts';
import type { McpEndpoint } from './endpoint.ts';
import { checkOrigin, ownOrigin } from './origin.ts';
import { mcpTools, readResource } from './registry.ts';

export interface McpDeps {
  services: {
    collections: CollectionService;
    documents: DocumentService;
    content: DocumentContent;
    search: SearchService;
    singleAnswers: SingleAnswers;
    runs: RunService;
    remoteFiles: RemoteFiles;
    pagePictures: PagePictures;
  };
  settings: {
    mcp: boolean;
    corsOrigins: readonly string[];
    basePath: string;
    maxJsonBytes: number;
    maxFileBytes: number;
    minFreeBytes: number;
    uploadDir: string;
    cursorKey: Buffer;
  };
  metrics: Metrics;
  logger: Logger;
  traffic: Traffic;
}

export function mcpRoutes(deps: McpDeps): Route[] {
  const { settings, logger, metrics } = deps;
  if (!settings.mcp) return [];
  const open = async (): Promise<McpEndpoint> => {
    const { createMcpEndpoint } = await import('./endpoint.ts');
    return createMcpEndpoint({
      tools: mcpTools(deps),
      readResource: readResource(deps),
      maxBodyBytes: settings.maxJsonBytes,
      logger,
      observe: (tool, outcome, seconds) => metrics.observeMcpCall(tool, outcome, seconds),
    });
  };
  /** Opened by the first request: the library of the protocol takes 0.1 s to load, the start does not wait for it. */
  let opening: Promise<McpEndpoint> | undefined;
  return [
    route({
      method: 'POST',
      path: '/v1/w/{ws}/mcp',
      operationId: 'callMcp',
      summary: 'Model Context Protocol, for assistants and agents',
      tag: 'MCP',
      permission: 'read',
      limitedKeys: true,
      scoped: true,
      audit: false,
      readsBody: true,
      response: 'application/json',
      handler: async ({ params, principal, request, reply, signal }) => {
        checkOrigin(request, settings.corsOrigins);
        const text = decodeUtf8(await readCountedBody(request, settings.maxJsonBytes, deps.traffic));
        const refused = refusedMessage(text);
        if (refused !== undefined) {
          return reply
            .code(refused.status)
            .type('application/json')
            .header('cache-control', 'no-store')
            .send(refused.body);
        }
        const baseUrl = `${ownOrigin(request)}${settings.basePath}`;
        const caller: McpCaller = { workspaceId: params.ws, principal, baseUrl, requestId: request.id, signal };
        const endpoint = await (opening ??= open());
        const response = await endpoint.fetch(toRequest(request, text, signal), { authInfo: toAuthInfo(caller) });
        return send(response, reply);
      },
    }),
  ];
}

function toRequest(request: FastifyRequest, body: string, signal: AbortSignal): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    // The key was checked; nothing after this needs it.
    if (typeof value === 'string' && name !== 'authorization' && name !== 'content-length') headers.set(name, value);
  }
  if (request.sentContentType !== undefined) headers.set('content-type', request.sentContentType);
  return new Request('http://quire.invalid/mcp', { method: 'POST', headers, body, signal });
}

async function send(response: Response, reply: FastifyReply): Promise<FastifyReply> {
  void reply.code(response.status).headers({ ...Object.fromEntries(response.headers), 'cache-control': 'no-store' });
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true;
  if (!isStream || response.body === null) return reply.send(await response.text());
  return reply.send(Readable.fromWeb(response.body));
}
