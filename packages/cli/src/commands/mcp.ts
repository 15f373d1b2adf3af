/** `quire mcp`: lets an assistant that starts MCP servers over stdio use the service's MCP endpoint. */
import { createInterface } from 'node:readline';
import type { Context } from '../context.ts';
import { explain } from '../explain-error.ts';

interface RpcMessage {
  id?: string | number | null;
  method?: string;
}

const INTERNAL_ERROR = -32_603;
const PARSE_ERROR = -32_700;

/** Forwards the JSON-RPC lines of stdin to the endpoint and writes the answers. Ends with stdin or by a signal. */
export async function bridge(context: Context): Promise<void> {
  const lines = createInterface({ input: context.io.stdin });
  context.signal.addEventListener('abort', () => lines.close(), { once: true });
  const pending = new Set<Promise<void>>();
  for await (const line of lines) {
    if (line.trim() === '') continue;
    const work = forward(context, line).finally(() => pending.delete(work));
    pending.add(work);
  }
  await Promise.all(pending);
}

async function forward(context: Context, line: string): Promise<void> {
  const write = (message: unknown): void => context.output.text(`${JSON.stringify(message)}\n`);
  let message: RpcMessage;
  try {
    message = JSON.parse(line) as RpcMessage;
  } catch {
    write({ jsonrpc: '2.0', id: null, error: { code: PARSE_ERROR, message: 'Parse error' } });
    return;
  }
  try {
    for (const answer of await send(context, message)) write(answer);
  } catch (error) {
    const reason = explain(error).message;
    context.output.note(reason);
    // Notifications get no answer.
    if (message.id === undefined) return;
    write({ jsonrpc: '2.0', id: message.id, error: { code: INTERNAL_ERROR, message: reason } });
  }
}

async function send({ quire, signal }: Context, message: RpcMessage): Promise<unknown[]> {
  const { body } = await quire.raw({
    method: 'POST',
    path: '/v1/w/{ws}/mcp',
    json: message,
    headers: { accept: 'application/json, text/event-stream' },
    signal,
    timeoutMs: 0,
  });
  if (typeof body !== 'string') return [body];
  return eventData(body);
}

/** Returns the JSON of each `data:` field of a stream of server-sent events. */
export function eventData(stream: string): unknown[] {
  return stream.split(/\r?\n\r?\n/u).flatMap((event) => {
    const data = event
      .split(/\r?\n/u)
      .flatMap((line) => (line.startsWith('data:') ? [line.slice(5).trimStart()] : []))
      .join('\n');
    return data === '' ? [] : [JSON.parse(data) as unknown];
  });
}
