import type { Message } from '@quire/client';

export type ToolPart = Extract<Message['parts'][number], { type: 'tool' }>;

/** The tool that searches the collection; its chunks are counted. */
export const SEARCH_TOOL = 'retrieve';

/** Returns what a tool of an answer does or did. Tools that return a text have no number of chunks. */
export function toolWords(part: Pick<ToolPart, 'status' | 'resultCount'> & { name: string }): string {
  const { name, status, resultCount } = part;
  if (name !== SEARCH_TOOL && resultCount === null)
    return { running: `Using ${name}`, done: `Used ${name}`, failed: `${name} failed` }[status];
  const chunks = resultCount === null ? '' : `: ${resultCount} ${resultCount === 1 ? 'chunk' : 'chunks'}`;
  return { running: 'Searching', done: `Searched${chunks}`, failed: 'The search failed' }[status];
}
