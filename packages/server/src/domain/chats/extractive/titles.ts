import type { SearchHit } from '../../search/types.ts';

/** Returns what the document of a hit is called: its file name without the extension, and the title that it states. */
export function titlesOf({ documentName, documentTitle }: Pick<SearchHit, 'documentName' | 'documentTitle'>): string[] {
  const name = documentName.replace(/\.\p{L}\w*$/u, '');
  return documentTitle === null || documentTitle === name ? [name] : [name, documentTitle];
}
