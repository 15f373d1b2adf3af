import type { Message } from '@quire/client';

export type ToolPart = Extract<Message['parts'][number], { type: 'tool' }>;

/** The tool that searches the collection; its chunks are counted. */
export const SEARCH_TOOL = 'retrieve';

/** Returns what a tool of an answer does or did. Tools that return a text have no number of chunks. */
export function toolWords(part: Pick<ToolPart, 'status' | 'resultCount' | 'input'> & { name: string }): string {
  const { name, status, resultCount, input } = part;
  if (name !== SEARCH_TOOL && resultCount === null)
    return { running: `Using ${name}`, done: `Used ${name}`, failed: `${name} failed` }[status];
  const chunks = resultCount === null ? '' : `: ${resultCount} ${resultCount === 1 ? 'chunk' : 'chunks'}`;
  const query = typeof input['query'] === 'string' ? ` for “${input['query']}”` : '';
  return { running: `Searching${query}`, done: `Searched${query}${chunks}`, failed: `The search${query} failed` }[
    status
  ];
}
