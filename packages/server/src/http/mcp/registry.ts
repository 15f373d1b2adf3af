/** All tools, in the order in which clients list them. */
import type { McpCaller } from './caller.ts';
import type { McpDeps } from './routes.ts';
import { FENCE_TOKENS, QuotedText } from './quoted-text.ts';
import { ReadCursors } from './read-cursors.ts';
import { ReadableDocuments } from './readable-documents.ts';
import { RESULT_TOKENS } from './result-tokens.ts';
import { SourceFiles } from './source-files.ts';
import type { McpTool } from './tool.ts';
import { askTool } from './tools/ask.ts';
import { fetchTool, readingOf } from './tools/fetch.ts';
import { listCollectionsTool, listDocumentsTool } from './tools/lists.ts';
import { processTool } from './tools/process.ts';
import { readDocumentTool } from './tools/read-document.ts';
import { searchTool } from './tools/search.ts';
import { viewPageTool } from './tools/view-page.ts';

export function mcpTools({ services, settings }: McpDeps): McpTool[] {
  const {
    search,
    collections,
    documents,
    content,
    singleAnswers,
    runs,
    remoteFiles,
    pagePictures: pictures,
  } = services;
  const { cursorKey, maxFileBytes, minFreeBytes, uploadDir: directory } = settings;
  const readable = new ReadableDocuments({ collections, documents });
  const reading = { readable, content, cursors: new ReadCursors(cursorKey) };
  const uploads = { directory, maxFileBytes, minFreeBytes };
  const files = new SourceFiles({ content, remoteFiles, uploads });
  const lists = { collections, documents, readable, cursorKey };
  return [
    searchTool(search),
    fetchTool(reading),
    readDocumentTool(reading),
    listDocumentsTool(lists),
    listCollectionsTool(lists),
    askTool({ singleAnswers, readable }),
    viewPageTool({ readable, content, pictures }),
    processTool({ runs, readable, files }),
  ];
}

/** Returns a document's text as a resource, cut like the result of `fetch`. */
export const readResource =
  ({ services: { collections, documents, content } }: Pick<McpDeps, 'services'>) =>
  async (documentId: string, caller: McpCaller): Promise<string> => {
    const record = await new ReadableDocuments({ collections, documents }).document(caller, documentId);
    const tokens = RESULT_TOKENS.fetch - FENCE_TOKENS;
    const request = { place: null, preferWhole: true, tokens, frame: {}, outlineTokens: null };
    const { text = '', rest = null } = (await readingOf(record, caller, content, request)) ?? {};
    const more = rest === null ? '' : '\n\n(The document goes on; read_document returns the rest.)';
    return `${new QuotedText().around(text)}${more}`;
  };
