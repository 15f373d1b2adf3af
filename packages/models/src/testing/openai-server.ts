/** Serves the chat API of OpenAI on loopback with any `ChatModel`. Only imported by tests. */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import type { ChatModel, ChatRequest, ChatTurn, JsonSchema } from '../chat-model.ts';

interface Body {
  messages: { role: 'system' | 'user' | 'assistant'; content: string | { text: string }[] }[];
  max_tokens?: number;
  temperature?: number;
  response_format?: { json_schema?: { name: string; schema: JsonSchema } };
}

/** Returns the origin of the server. */
export async function serveOpenAi(model: ChatModel): Promise<string> {
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.once('end', () => void answer(model, JSON.parse(Buffer.concat(parts).toString()) as Body, response));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function answer(model: ChatModel, body: Body, response: ServerResponse): Promise<void> {
  const leaving = new AbortController();
  response.once('close', () => leaving.abort());
  const send = (choices: object[], more: object = {}): void =>
    void response.write(`data: ${JSON.stringify({ id: '1', object: 'chat.completion.chunk', choices, ...more })}\n\n`);
  const { max_tokens: maxOutputTokens, temperature, response_format: format } = body;
  const request: ChatRequest = {
    turns: body.messages.map(({ role, content }): ChatTurn => ({
      role,
      text: typeof content === 'string' ? content : content.map(({ text }) => text).join('\n'),
    })),
    ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
    ...(temperature === undefined ? {} : { temperature }),
    ...(format?.json_schema === undefined ? {} : { output: format.json_schema }),
  };
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  try {
    for await (const event of model.stream(request, leaving.signal)) {
      if (event.type === 'text') send([{ index: 0, delta: { content: event.text }, finish_reason: null }]);
      if (event.type !== 'end') continue;
      send([{ index: 0, delta: {}, finish_reason: event.reason }]);
      const { inputTokens, outputTokens } = event.usage;
      send([], { usage: { prompt_tokens: inputTokens, completion_tokens: outputTokens } });
    }
    response.end('data: [DONE]\n\n');
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    response.end(`data: ${JSON.stringify({ error: { message } })}\n\n`);
  }
}
