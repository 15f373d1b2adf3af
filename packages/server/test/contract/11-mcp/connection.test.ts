/** CONTRACT section 11: connections of the Model Context Protocol, and its configurations. */
import { readFileSync } from 'node:fs';
import { once } from 'node:events';
import { request as requestHttp, type IncomingMessage } from 'node:http';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { describe, expect, test } from 'vitest';
import { createWorkspace } from '../../factories.ts';
import { connect, connectLegacy } from '../../mcp-clients.ts';
import { startTestService } from '../../server.ts';
import {
  client,
  dataOf,
  legacy,
  READ_TOOLS,
  service,
  target,
  trout,
  workspace,
  type SearchData,
  useLibrary,
} from './library.ts';

useLibrary();

const post = (headers: Record<string, string>, key: string | null = target.key) =>
  service.call('POST', `${workspace.url}/mcp`, {
    key,
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
    json: { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} },
  });

describe('the connection', () => {
  test('clients of both generations negotiate their revision', () => {
    expect([client.version(), legacy.version()]).toEqual(['2026-07-28', '2025-11-25']);
  });

  test('a read key is offered the same reading tools on every connection', async () => {
    const lists = await Promise.all([client.tools(), legacy.tools(), connect(target).then((other) => other.tools())]);
    expect(lists[0]?.map(({ name }) => name)).toEqual([
      'search',
      'fetch',
      'read_document',
      'list_documents',
      'list_collections',
      'ask',
      'view_page',
    ]);
    expect(lists[1]).toEqual(lists[0]);
    expect(lists[2]).toEqual(lists[0]);
  });

  test('there are at most eight tools, each described in at most 400 characters, with an output schema', async () => {
    const tools = await (await connect({ ...target, key: workspace.admin })).tools();
    expect(tools.length).toBeLessThanOrEqual(8);
    for (const { name, description = '', outputSchema, annotations } of tools) {
      expect([name, description.length <= 400, outputSchema !== undefined]).toEqual([name, true, true]);
      expect([name, annotations?.readOnlyHint]).toEqual([name, name !== 'process']);
    }
  });

  test('GET and DELETE answer 405', async () => {
    for (const method of ['GET', 'DELETE']) {
      const { status, headers } = await service.call(method, `${workspace.url}/mcp`, { key: target.key });
      expect([method, status, headers.get('allow')]).toEqual([method, 405, 'POST']);
    }
  });

  test('a missing key answers 401, another workspace 404', async () => {
    const other = await createWorkspace(service, 'Other');
    expect((await post({}, null)).status).toBe(401);
    expect((await post({}, other.admin)).status).toBe(404);
  });

  test('a page of another origin is refused with 403; its own origin and the configured ones are not', async () => {
    const status = async (origin: string) => (await post({ origin })).status;
    expect(await status('https://evil.example')).toBe(403);
    expect(await status('null')).toBe(403);
    expect(await status('https://app.example')).toBe(200);
    expect(await status(service.address)).toBe(200);
    expect((await post({})).status).toBe(200);
  });

  test('a body that is not JSON, no message, or more than 16 messages, answers 400', async () => {
    const send = (body: string) =>
      service.call('POST', `${workspace.url}/mcp`, {
        key: target.key,
        headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
        body,
      });
    const message = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
    const many = `[${Array.from({ length: 17 }, () => message).join(',')}]`;
    const answers = [await send('{'), await send('{"hello":1}'), await send(many), await send(message)];
    expect(answers.map(({ status }) => status)).toEqual([400, 400, 400, 200]);
    expect(JSON.parse(answers[0]?.text ?? '')).toMatchObject({ jsonrpc: '2.0', error: { code: -32700 } });
  });

  test('a page whose name was pointed at this machine is refused, though its origin is its host', async () => {
    const statusFor = async (host: string): Promise<number | undefined> => {
      const headers = { host, origin: `http://${host}`, authorization: `Bearer ${target.key}` };
      const sent = requestHttp(`${service.address}${workspace.url}/mcp`, { method: 'POST', headers });
      sent.end('{"jsonrpc":"2.0","id":1,"method":"ping"}');
      const [answer] = (await once(sent, 'response')) as [IncomingMessage];
      answer.resume();
      return answer.statusCode;
    };
    expect(await statusFor('evil.example')).toBe(403);
    expect(await statusFor('127.0.0.1.evil.example:80')).toBe(403);
    expect(await statusFor('localhost:8080')).not.toBe(403);
  });
});

/** Returns the text of a page of the repository. */
const pageOf = (file: string): string => readFileSync(new URL(`../../../../../${file}`, import.meta.url), 'utf8');

/** Writes the values of this service into an example. */
const filled = (text: string): string =>
  text
    .replaceAll(/\$\{(?:env:)?QUIRE\}|\$QUIRE/g, service.address)
    .replaceAll(/\$\{(?:env:)?WS\}|\$WS/g, workspace.id)
    .replaceAll(/\$\{(?:env:)?KEY\}|\$KEY|\$\{input:quire-key\}/g, target.key);

describe.each([
  ['the guide', 'docs/guide/mcp.md', 3],
  ['the README', 'README.md', 1],
])('the configurations of %s', (_place, file, configurations) => {
  const page = pageOf(file);
  const canConnect = async (url: string, authorization: string): Promise<number> => {
    const key = /^Bearer (\S+)$/.exec(authorization)?.[1] ?? '';
    const { origin, pathname } = new URL(url);
    const connection = { address: origin, url: pathname.replace(/\/mcp$/, ''), key };
    const clients = await Promise.all([connect(connection), connectLegacy(connection)]);
    const tools = await Promise.all(clients.map((each) => each.tools()));
    await Promise.all(clients.map((each) => each.close()));
    return Math.min(...tools.map(({ length }) => length));
  };

  test('each JSON configuration connects both clients', async () => {
    const blocks = [...page.matchAll(/^```jsonc\n(.*?)^```/gms)].map(([, block = '']) => filled(block));
    const servers = blocks
      .filter((block) => block.includes('"url"'))
      .map((block) => {
        const read = JSON.parse(block) as Record<'servers' | 'mcpServers', { quire: { url: string; headers: object } }>;
        return (read.mcpServers ?? read.servers).quire;
      });
    expect(servers.length).toBe(configurations);
    for (const { url, headers } of servers) {
      expect(await canConnect(url, String(Object.entries(headers)[0]?.[1]))).toBe(READ_TOOLS);
    }
  });

  test('the command for Claude Code names an address and a header that connect', async () => {
    const [, url = '', header = ''] = /claude mcp add .*? "(.*?)" --header "Authorization: (.*?)"/.exec(page) ?? [];
    expect(await canConnect(filled(url), filled(header))).toBe(READ_TOOLS);
  });
});

test('the configuration with a program starts the bridge of the command line, which answers like the endpoint', async () => {
  const [block = ''] = [...pageOf('docs/guide/mcp.md').matchAll(/^```jsonc\n([^`]*"command"[^`]*)^```/gms)].map(
    ([, found = '']) => filled(found),
  );
  const { mcpServers } = JSON.parse(block) as {
    mcpServers: { quire: { command: string; args: string[]; env: object } };
  };
  const { command, args, env } = mcpServers.quire;
  expect(command).toBe('quire');
  const program = fileURLToPath(new URL('../../../../cli/bin/quire.mjs', import.meta.url));
  const bridged = new Client({ name: 'tests', version: '1.0.0' });
  const transport = { command: process.execPath, args: [program, ...args], env: { PATH: '', HOME: '', ...env } };
  await bridged.connect(new StdioClientTransport(transport));
  expect((await bridged.listTools()).tools).toEqual(await client.tools());
  const found = await bridged.callTool({
    name: 'search',
    arguments: { query: 'trout against the stream', limit: 1 },
  });
  expect(dataOf<SearchData>(found).results.map(({ documentId }) => documentId)).toEqual([trout.id]);
  await bridged.close();
});

test('the endpoint is off with QUIRE_MCP=false', async () => {
  const without = await startTestService({ QUIRE_MCP: 'false' });
  const other = await createWorkspace(without);
  expect((await without.call('POST', `${other.url}/mcp`, { json: {} })).status).toBe(404);
  await without.stop();
});
