/** The tool `retrieve`: searches the chat's collection. */
import type { Retrieved } from '../answer-engine.ts';
import type { ChatTool } from './tool.ts';

const MAX_QUERY_LENGTH = 1_000;
/** Number of hits that a search returns to a model. */
const HIT_COUNT = 8;

type RetrieveInput = { query: string };

/** Returns the tool with another number of hits. */
export const retrieveTool = (hitCount: number): ChatTool<RetrieveInput, Retrieved> => ({
  definition: {
    name: 'retrieve',
    description:
      'Searches the documents of this collection by words and meaning, and returns numbered passages. Ask in full: name ' +
      'what the question is about, also where the conversation only points back to it.',
    inputSchema: {
      type: 'object',
      properties: { query: { type: 'string', description: 'What to search for, in the language of the documents' } },
      required: ['query'],
      additionalProperties: false,
    },
  },
  instruction:
    'Search with the tool `retrieve` before you answer, and again in other words when the passages do not answer.',
  readInput: (input) => {
    if (typeof input !== 'object' || input === null) return undefined;
    const { query } = input as { query?: unknown };
    if (typeof query !== 'string' || query.trim() === '') return undefined;
    return { query: query.trim().slice(0, MAX_QUERY_LENGTH) };
  },
  run: ({ query }, request) => request.retrieve(query, hitCount),
});

export const retrieve = retrieveTool(HIT_COUNT);
