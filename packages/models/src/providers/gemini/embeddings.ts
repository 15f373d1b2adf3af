/** The Gemini API: `POST {baseUrl}/models/{model}:batchEmbedContents`. */
import { z } from 'zod';
import { under, type EmbeddingProtocol } from '../../remote/embedding-protocol.ts';

const BASE_URL = 'https://generativelanguage.googleapis.com/v1beta';
const TASKS = { document: 'RETRIEVAL_DOCUMENT', query: 'RETRIEVAL_QUERY' } as const;

const answerShape = z.object({ embeddings: z.array(z.object({ values: z.array(z.number()) })) });

export const geminiEmbeddings: EmbeddingProtocol = {
  // The limit of the API.
  batchSize: 100,
  // The API truncates longer texts silently.
  maxTokens: 2048,
  batchTokens: 100_000,
  request: ({ model, apiKey, baseUrl, dimensions }, texts, role) => {
    const name = model.startsWith('models/') ? model : `models/${model}`;
    const path = name.split('/').map(encodeURIComponent).join('/');
    return {
      url: under(baseUrl ?? BASE_URL, `${path}:batchEmbedContents`),
      headers: apiKey === undefined ? {} : { 'x-goog-api-key': apiKey },
      body: {
        requests: texts.map((text) => ({
          model: name,
          content: { parts: [{ text }] },
          taskType: TASKS[role],
          ...(dimensions === undefined ? {} : { outputDimensionality: dimensions }),
        })),
      },
    };
  },
  read: (answer) => new Map(answerShape.parse(answer).embeddings.map(({ values }, index) => [index, values])),
};
