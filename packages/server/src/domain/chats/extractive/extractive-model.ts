/** The built-in model: says what it searched for, then quotes the sentences that answer, each with its citation. */
import type { Citation, MessagePart } from '../../../database/tables.ts';
import { detectLanguage } from '../../../language/detect.ts';
import type { SearchHit } from '../../search/types.ts';
import type { AnswerRequest, ChatModel, Draft } from '../model.ts';
import { readQuestion, resolveQuestion } from './question.ts';
import { selectQuotes, type Quote } from './select.ts';

const RETRIEVED = 10;
const NO_ANSWER = 'The documents in this collection do not hold an answer to this question.';
/** Tokens are what language models are paid for; quoting takes none. */
const NO_TOKENS = { inputTokens: 0, outputTokens: 0 };

export const extractiveModel: ChatModel = {
  async answer({ question, previousQuestion, retrieve }: AnswerRequest, draft: Draft) {
    const query = resolveQuestion(question, previousQuestion, await detectLanguage(question));
    await draft.write(({ parts }) => {
      const follow = query === question ? '' : ', together with the question before';
      parts.push({ type: 'reasoning', text: `Searching the collection for “${question}”${follow}.` });
      parts.push({ type: 'tool', name: 'retrieve', input: { query }, status: 'running', resultCount: null });
    });
    const hits = await retrieve(query, RETRIEVED);
    // Question and passages must be analysed alike to be compared; a passage tells its language better.
    const language = await detectLanguage(hits.map((hit) => hit.text).join('\n') || query);
    const { quotes } = selectQuotes(readQuestion(query, language), hits.map(toPassage), language);
    await draft.write(({ parts }) => {
      const tool = parts.find((part) => part.type === 'tool');
      if (tool !== undefined) Object.assign(tool, { status: 'done', resultCount: hits.length });
      const reasoning = parts.find((part) => part.type === 'reasoning');
      if (reasoning !== undefined) reasoning.text += ` ${conclusion(hits, quotes)}`;
    });
    await (quotes.length === 0 ? refuse(draft) : quoteAll(draft, quotes, hits));
    return NO_TOKENS;
  },
};

const toPassage = ({ text, headings, documentName }: SearchHit) => ({
  text,
  headings,
  documentName: documentName.replace(/\.\p{L}\w*$/u, ''),
});

function conclusion(hits: readonly SearchHit[], quotes: readonly Quote[]): string {
  if (hits.length === 0) return 'Nothing was found.';
  const documents = new Set(quotes.map((quote) => hits[quote.passage]?.documentId)).size;
  if (quotes.length === 0) return `None of the ${hits.length} passages found covers enough of the question.`;
  return `Quoting from ${documents === 1 ? '1 document' : `${documents} documents`} of the ${hits.length} passages found.`;
}

const refuse = (draft: Draft): Promise<void> =>
  draft.write(({ parts }) => {
    parts.push({ type: 'text', text: NO_ANSWER });
  });

async function quoteAll(draft: Draft, quotes: readonly Quote[], hits: readonly SearchHit[]): Promise<void> {
  for (const [at, quote] of quotes.entries()) {
    const hit = hits[quote.passage];
    if (hit === undefined) continue;
    const previous = quotes[at - 1];
    await draft.write(({ parts, citations }) => {
      const heading = previous?.passage === quote.passage ? null : headingOf(hit);
      append(parts, citations, quote, hit, heading);
    });
  }
}

/** Where the quoted passage stands: its headings, or the document's name. */
const headingOf = ({ headings, documentName }: SearchHit): string => headings.join(' › ') || documentName;

function append(
  parts: MessagePart[],
  citations: Citation[],
  quote: Quote,
  hit: SearchHit,
  heading: string | null,
): void {
  let part = parts.findIndex((each) => each.type === 'text');
  if (part < 0) part = parts.push({ type: 'text', text: '' }) - 1;
  const text = parts[part];
  if (text?.type !== 'text') return;
  const index = citations.length + 1;
  const lead = heading === null ? ' ' : `${text.text === '' ? '' : '\n\n'}${heading}: `;
  // A row makes sense under its header only; the header is said, the row is what is cited.
  const columns = quote.header === null ? '' : `${quote.header}\n`;
  const start = text.text.length + lead.length + columns.length;
  text.text += `${lead}${columns}${quote.text} [${index}]`;
  citations.push({
    index,
    documentId: hit.documentId,
    documentName: hit.documentName,
    snippet: hit.text.slice(quote.start, quote.end),
    chunkId: hit.chunkId,
    revision: hit.revision,
    headings: hit.headings,
    boxes: hit.boxes.map(({ page, bbox: [x0, y0, x1, y1] }) => ({ page, bbox: [x0, y0, x1, y1] })),
    spans: [{ part, start, end: start + quote.text.length }],
  });
}
