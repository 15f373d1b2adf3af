/** Connects the official clients of both generations of the Model Context Protocol to a service. */
import { Client, StreamableHTTPClientTransport, type CallToolResult } from '@modelcontextprotocol/client';
import { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as LegacyTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

export interface ConnectedClient {
  tools(): Promise<ListedTool[]>;
  call(name: string, input?: Record<string, unknown>): Promise<CallToolResult>;
  readResource(uri: string): Promise<string>;
  version(): string | undefined;
  close(): Promise<void>;
}

export interface ListedTool {
  name: string;
  description?: string | undefined;
  outputSchema?: object | undefined;
  annotations?: { readOnlyHint?: boolean | undefined } | undefined;
}

export interface McpTarget {
  address: string;
  /** `/v1/w/<id>` */
  url: string;
  key: string;
}

const about = { name: 'tests', version: '1.0.0' };
const endpointOf = ({ address, url }: McpTarget): URL => new URL(`${address}${url}/mcp`);
const headersOf = ({ key }: McpTarget) => ({ requestInit: { headers: { authorization: `Bearer ${key}` } } });

/** Connects the client of the revision 2026-07-28; it falls back to older ones only on request. */
export async function connect(target: McpTarget): Promise<ConnectedClient> {
  const client = new Client(about, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
  await client.connect(new StreamableHTTPClientTransport(endpointOf(target), headersOf(target)));
  return {
    tools: async () => (await client.listTools()).tools,
    call: (name, input = {}) => client.callTool({ name, arguments: input }),
    readResource: async (uri) => textOf((await client.readResource({ uri })).contents),
    version: () => client.getNegotiatedProtocolVersion(),
    close: () => client.close(),
  };
}

/** Connects the client of the revisions up to 2025-11-25. */
export async function connectLegacy(target: McpTarget): Promise<ConnectedClient> {
  const client = new LegacyClient(about);
  const transport = new LegacyTransport(endpointOf(target), headersOf(target));
  await client.connect(transport);
  return {
    tools: async () => (await client.listTools()).tools,
    call: async (name, input = {}) => (await client.callTool({ name, arguments: input })) as CallToolResult,
    readResource: async (uri) => textOf((await client.readResource({ uri })).contents),
    version: () => transport.protocolVersion,
    close: () => client.close(),
  };
}

function textOf(contents: readonly object[]): string {
  const [first] = contents;
  return first !== undefined && 'text' in first ? String(first.text) : '';
}
