/** Traces arrive at a collector by OTLP: requests, jobs and calls of providers, connected with the caller's trace. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { startChatProvider } from './chat-provider.ts';
import { createChat, createCollection, createDocument, createWorkspace } from './factories.ts';
import { startTestService } from './server.ts';

interface WireSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  attributes: { key: string; value: Record<string, unknown> }[];
}

interface WireTraces {
  resourceSpans: { resource: { attributes: WireSpan['attributes'] }; scopeSpans: { spans: WireSpan[] }[] }[];
}

/** A collector that keeps what it receives. */
async function startCollector() {
  const received: { traces: WireTraces; authorization: string | undefined; path: string | undefined }[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (piece) => (body += String(piece)));
    request.on('end', () => {
      const { authorization } = request.headers;
      received.push({ traces: JSON.parse(body) as WireTraces, authorization, path: request.url });
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { endpoint: `http://127.0.0.1:${port}`, received, close: () => server.close() };
}

const attributesOf = (span: WireSpan | undefined): Record<string, unknown> =>
  Object.fromEntries(span?.attributes.map(({ key, value }) => [key, Object.values(value)[0]]) ?? []);

test('a request, its provider call and a job are spans of the collector, without content', async () => {
  const collector = await startCollector();
  const provider = await startChatProvider((_request, call) => (call === 0 ? [{ search: 'gate' }] : ['At nine. [1]']));
  process.env['OTEL_EXPORTER_OTLP_HEADERS'] = 'authorization=collector-key';
  const service = await startTestService({
    QUIRE_OTLP_ENDPOINT: collector.endpoint,
    QUIRE_ALLOW_PRIVATE_NETWORK: '127.0.0.1',
  });
  const workspace = await createWorkspace(service, 'secret-workspace-name');
  const collection = await createCollection(service, workspace);
  await createDocument(service, collection, { content: 'The secret-word gate opens at nine.' });
  const config = { provider: 'provider_a', model: 'm', baseUrl: provider.baseUrl };
  const model = await service.call<{ id: string }>('POST', `${workspace.url}/config/models`, {
    json: { name: 'M', config },
  });
  const chat = await createChat(service, workspace, { collection_id: collection.id, modelId: model.data.id });
  const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
  const asked = await service.call('POST', `${chat.url}/message`, {
    json: { query: 'When does the secret-word gate open?', stream: false },
    headers: { traceparent: `00-${traceId}-00f067aa0ba902b7-01` },
  });
  const missing = await service.call('GET', `${workspace.url}/col/${workspace.id}`);
  expect([asked.status, missing.status]).toEqual([200, 404]);
  await service.stop();
  await provider.close();
  collector.close();
  delete process.env['OTEL_EXPORTER_OTLP_HEADERS'];

  const { received } = collector;
  expect(new Set(received.map(({ path, authorization }) => [path, authorization].join(' ')))).toEqual(
    new Set(['/v1/traces collector-key']),
  );
  const resource = received[0]?.traces.resourceSpans[0]?.resource.attributes ?? [];
  expect(resource).toContainEqual({ key: 'service.name', value: { stringValue: 'quire' } });
  const spans = received.flatMap(({ traces }) =>
    traces.resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)),
  );
  const named = (name: string): WireSpan | undefined => spans.find((span) => span.name === name);
  const request = named('POST /v1/w/{ws}/chat/{chat_id}/message');
  expect([request?.traceId, request?.parentSpanId]).toEqual([traceId, '00f067aa0ba902b7']);
  expect(attributesOf(request)).toMatchObject({
    'http.request.method': 'POST',
    'http.response.status_code': 200,
    'quire.workspace_id': workspace.id,
  });
  const calls = spans.filter((span) => span.name === 'chat provider_a');
  expect(calls.map((span) => [span.traceId, span.parentSpanId])).toEqual([
    [traceId, request?.spanId],
    [traceId, request?.spanId],
  ]);
  expect(attributesOf(calls[0])).toMatchObject({ 'gen_ai.usage.input_tokens': 100, 'quire.outcome': 'ok' });
  expect(named('job ingest-small-document')?.parentSpanId ?? '').toBe('');
  expect(attributesOf(named('GET /v1/w/{ws}/col/{col}'))['http.response.status_code']).toBe(404);
  expect(JSON.stringify(received)).not.toMatch(/secret-w/);
});
