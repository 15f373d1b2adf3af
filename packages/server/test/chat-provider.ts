/** An OpenAI-compatible provider on a local port that sends the answers that the test defines. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ProviderRequest {
  messages: { role: string; content: string; tool_calls?: unknown[] }[];
  tools?: unknown[];
}

/**
 * A piece of the answer's text, of its reasoning, a search, a pause until something happens, or the connection's end.
 */
export type Said = string | { reasoning: string } | { search: string } | { wait: Promise<unknown> } | { hangUp: true };

export interface ChatProvider {
  /** Base URL for the configuration of a model; QUIRE_ALLOW_PRIVATE_NETWORK must contain its host. */
  baseUrl: string;
  requests: ProviderRequest[];
  close(): Promise<void>;
}

type Answer = (request: ProviderRequest, call: number) => readonly Said[] | { status: number; error: string };

export async function startChatProvider(answer: Answer): Promise<ChatProvider> {
  const requests: ProviderRequest[] = [];
  const respond = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    if (incoming.method === 'GET') {
      // It has no list of models.
      outgoing.writeHead(404).end();
      return;
    }
    let body = '';
    for await (const piece of incoming) body += String(piece);
    const request = JSON.parse(body) as ProviderRequest;
    const said = answer(request, requests.push(request) - 1);
    if ('status' in said) {
      outgoing.writeHead(said.status, { 'content-type': 'application/json' });
      outgoing.end(JSON.stringify({ error: { message: said.error } }));
      return;
    }
    await speak(outgoing, said);
  };
  const server = createServer((incoming, outgoing) => void respond(incoming, outgoing));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    requests,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function speak(outgoing: ServerResponse, said: readonly Said[]): Promise<void> {
  outgoing.writeHead(200, { 'content-type': 'text/event-stream' });
  const send = (choice: Record<string, unknown>, more: Record<string, unknown> = {}): void => {
    const chunk = { id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [choice], ...more };
    outgoing.write(`data: ${JSON.stringify(chunk)}\n\n`);
  };
  const delta = (fields: Record<string, unknown>): void => send({ index: 0, delta: fields, finish_reason: null });
  let calls = 0;
  for (const each of said) {
    if (typeof each === 'string') delta({ content: each });
    else if ('reasoning' in each) delta({ reasoning_content: each.reasoning });
    else if ('wait' in each) await each.wait;
    // The data written so far still arrives; the end of the answer does not.
    else if ('hangUp' in each) return void outgoing.socket?.end();
    else {
      const { search } = each;
      const call = { name: 'retrieve', arguments: JSON.stringify({ query: search }) };
      delta({ tool_calls: [{ index: calls, id: `call-${calls}`, type: 'function', function: call }] });
      calls += 1;
    }
  }
  const usage = { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 };
  send({ index: 0, delta: {}, finish_reason: calls > 0 ? 'tool_calls' : 'stop' }, { usage });
  outgoing.end('data: [DONE]\n\n');
}
