/** The sources of an answer as text. */
import type { Citation } from '@quire/client';
import { printable } from '../output.ts';

/** Lists the sources by number, each with its page and its address in the console; quotes of one chunk share a line. */
export function sources(citations: readonly Citation[], url: string): string {
  const lines = new Map<string, number[]>();
  for (const citation of citations) {
    const { index, documentName, boxes, headings, documentDeleted } = citation;
    const page = boxes[0] === undefined ? [] : [`p. ${boxes[0].page}`];
    const place = [documentName, ...page, ...headings].map(printable).join(' › ');
    const source = `${place}${documentDeleted ? ' (deleted)' : ''}\n    ${linkOf(citation, url)}\n`;
    lines.set(source, [...(lines.get(source) ?? []), index]);
  }
  if (lines.size === 0) return '';
  return `\n${Array.from(lines, ([source, numbers]) => `${numbers.map((number) => `[${number}]`).join(' ')} ${source}`).join('')}`;
}

/** Returns the address of the cited place in the console; the id of the document if its collection is unknown. */
function linkOf({ collectionId, documentId, chunkId, boxes }: Citation, url: string): string {
  if (collectionId === null) return documentId;
  const page = boxes[0] === undefined ? '' : `page=${boxes[0].page}&`;
  return `${url.replace(/\/+$/, '')}/collections/${collectionId}/documents/${documentId}?${page}chunk=${chunkId}`;
}
