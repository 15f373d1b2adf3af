/** An OpenAI-compatible embeddings server on loopback whose vectors count words. Tests can make it fail. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createHash } from 'node:crypto';

export interface EmbeddingsCall {
  authorization: string | undefined;
  model: string;
  input: string[];
  dimensions: number | undefined;
}

/** `hang`: never answers. `too long`: as vLLM refuses a text. A number: that status. */
type Mood = 'well' | 'hang' | 'too long' | number;

export interface FakeEmbeddings {
  /** For a configuration's `baseUrl`. */
  baseUrl: string;
  calls: EmbeddingsCall[];
  mood: (call: EmbeddingsCall, count: number) => Mood;
  stop(): Promise<void>;
}

const OWN_DIMENSIONS = 32;

/** Every word adds to one place: texts that share words are near one another. */
function vectorOf(text: string, dimensions: number): number[] {
  const vector = Array.from({ length: dimensions }, () => 0.001);
  for (const word of text.toLowerCase().match(/\p{L}+/gu) ?? []) {
    const place = createHash('sha256').update(word).digest().readUInt32LE() % dimensions;
    vector[place] = (vector[place] ?? 0) + 1;
  }
  return vector;
}

export async function startFakeEmbeddings(): Promise<FakeEmbeddings> {
  const fake: FakeEmbeddings = { baseUrl: '', calls: [], mood: () => 'well', stop: async () => {} };
  const server = createServer((request, response) => void answer(fake, request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  fake.baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  fake.stop = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return fake;
}

async function answer(fake: FakeEmbeddings, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  const body = JSON.parse(Buffer.concat(parts).toString()) as Omit<EmbeddingsCall, 'authorization'>;
  const call = { ...body, authorization: request.headers.authorization };
  fake.calls.push(call);
  const mood = fake.mood(call, fake.calls.length);
  if (mood === 'hang') return;
  if (mood === 'too long') {
    response.writeHead(400).end('{"message":"This model\'s maximum context length is 64 tokens."}');
    return;
  }
  if (typeof mood === 'number') {
    response.writeHead(mood, { 'retry-after': '0' }).end('{"error":{"message":"not now"}}');
    return;
  }
  const data = call.input.map((text, index) => ({
    object: 'embedding',
    index,
    embedding: vectorOf(text, call.dimensions ?? OWN_DIMENSIONS),
  }));
  const usage = { prompt_tokens: call.input.length * 10, total_tokens: call.input.length * 10 };
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ object: 'list', data, model: call.model, usage }));
}
