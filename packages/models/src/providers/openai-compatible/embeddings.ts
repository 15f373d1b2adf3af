/** The OpenAI-compatible embeddings API: `POST {baseUrl}/embeddings`. */
import { z } from 'zod';
import { under, type EmbeddingProtocol } from '../../remote/embedding-protocol.ts';

const BASE_URL = 'https://api.openai.com/v1';

const answerShape = z.object({
  data: z.array(z.object({ index: z.int().min(0), embedding: z.array(z.number()) })),
});
const usageShape = z.object({ usage: z.object({ prompt_tokens: z.number().min(0) }) });

export const openAiEmbeddings: EmbeddingProtocol = {
  // The API accepts 2,048 texts and 300,000 tokens; 64 chunks are well below the limits of any server.
  batchSize: 64,
  // OpenAI's limit; other servers reject longer input, which is then embedded in parts.
  maxTokens: 8191,
  batchTokens: 200_000,
  request: ({ model, apiKey, baseUrl, dimensions }, texts) => ({
    url: under(baseUrl ?? BASE_URL, 'embeddings'),
    headers: apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` },
    body: { model, input: texts, encoding_format: 'float', ...(dimensions === undefined ? {} : { dimensions }) },
  }),
  tokens: (answer) => usageShape.safeParse(answer).data?.usage.prompt_tokens,
  read: (answer) => new Map(answerShape.parse(answer).data.map(({ index, embedding }) => [index, embedding])),
};
