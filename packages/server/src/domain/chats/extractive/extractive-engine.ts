/** The built-in answer engine: quotes the sentences that answer the question, each with its citation. */
import type { Citation, MessagePart } from '../../../database/tables.ts';
import { detectLanguage } from '@quire/text/language/detect';
import type { SearchHit } from '../../search/types.ts';
import type { AnswerEngine, AnswerRequest, Draft } from '../answer-engine.ts';
import { citationOf } from '../citation.ts';
import { NO_ANSWER, say } from '../draft-parts.ts';
import { resolveQuestion } from '../follow-up.ts';
import { retrieveTool } from '../tools/retrieve.ts';
import { runTool } from '../tools/run-tool.ts';
import { weighEvidence } from './evidence.ts';
import { isNext, type Quote } from './select.ts';

/** Number of hits of the first search. */
const HIT_COUNT = 10;
/** Number of hits of the second search, for a name in the best sentence. */
const FURTHER_HIT_COUNT = 4;

export const extractiveEngine: AnswerEngine = {
  async answer(request: AnswerRequest, draft: Draft): Promise<void> {
    const { question, earlier } = request;
    const query = resolveQuestion(question, earlier.at(-1)?.query, await detectLanguage(question));
    const follow = query === question ? '' : ', which points back to the conversation';
    await say(draft, 'reasoning', `Searching the collection for “${question}”${follow}.`);
    const found = await runTool(retrieveTool(HIT_COUNT), { query }, request, draft);
    let evidence = await weighEvidence(query, found);
    if (evidence.further !== null) {
      const more = await runTool(retrieveTool(FURTHER_HIT_COUNT), { query: evidence.further }, request, draft);
      evidence = await weighEvidence(query, { ...found, hits: joined(found.hits, more.hits) });
    }
    const { hits, selection, isAnswered } = evidence;
    const quotes = isAnswered ? selection.quotes : [];
    await draft.write(({ parts }) => {
      const reasoning = parts.find((part) => part.type === 'reasoning');
      if (reasoning !== undefined) reasoning.text += ` ${conclusion(hits, quotes)}`;
    });
    await (quotes.length === 0 ? say(draft, 'text', NO_ANSWER) : quoteAll(draft, quotes, hits));
  },
};

const joined = (hits: readonly SearchHit[], more: readonly SearchHit[]): SearchHit[] => [
  ...hits,
  ...more.filter(({ chunkId }) => !hits.some((hit) => hit.chunkId === chunkId)),
];

function conclusion(hits: readonly SearchHit[], quotes: readonly Quote[]): string {
  if (hits.length === 0) return 'Nothing was found.';
  const documents = new Set(quotes.map((quote) => hits[quote.chunk]?.documentId)).size;
  if (quotes.length === 0) return `None of the ${hits.length} passages found answers the question.`;
  return `Quoting from ${documents === 1 ? '1 document' : `${documents} documents`} of the ${hits.length} passages found.`;
}

async function quoteAll(draft: Draft, quotes: readonly Quote[], hits: readonly SearchHit[]): Promise<void> {
  for (const [at, quote] of quotes.entries()) {
    const hit = hits[quote.chunk];
    if (hit === undefined) continue;
    const previous = quotes[at - 1];
    await draft.write(({ parts, citations }) => {
      append(parts, citations, quote, hit, leadOf(quote, previous, headingOf(hit)));
    });
  }
}

/** Returns the headings above the quoted chunk, or the document's name. */
const headingOf = ({ headings, documentName }: SearchHit): string => headings.join(' › ') || documentName;

/** Returns the text before a quote. An ellipsis separates quotes that are not adjacent in their chunk. */
function leadOf(quote: Quote, previous: Quote | undefined, heading: string): string {
  if (previous?.chunk !== quote.chunk) return `${previous === undefined ? '' : '\n\n'}${heading}: `;
  return isNext(quote, previous) ? ' ' : ' … ';
}

function append(parts: MessagePart[], citations: Citation[], quote: Quote, hit: SearchHit, lead: string): void {
  let part = parts.findIndex((each) => each.type === 'text');
  if (part < 0) part = parts.push({ type: 'text', text: '' }) - 1;
  const text = parts[part];
  if (text?.type !== 'text') return;
  // A row of a table makes sense only below its header: the header is shown, the row is cited.
  const columns = quote.header === null ? '' : `${quote.header}\n`;
  const start = text.text.length + lead.length + columns.length;
  const citation = citationOf(hit, citations.length + 1, quote);
  text.text += `${lead}${columns}${quote.text} [${citation.index}]`;
  citation.spans.push({ part, start, end: start + quote.text.length });
  citations.push(citation);
}
