/** The built-in answer engine: quotes the sentences that answer the question, each with its citation. */
import { analyse } from '@quire/text/language/analyse';
import type { Citation, CitedSpan, MessagePart } from '../../../database/tables.ts';
import type { SearchHit } from '../../search/types.ts';
import type { AnswerEngine, AnswerRequest, Draft } from '../answer-engine.ts';
import { citationOf } from '../citation.ts';
import { say } from '../stream/draft-parts.ts';
import { askAQuestion, noAnswer } from '../stream/replies.ts';
import { readingsOf } from '../follow-up.ts';
import { isSmallTalk, languageOfSmallTalk } from '../small-talk.ts';
import { THRESHOLD } from './answerability.ts';
import type { Evidence } from './evidence.ts';
import { gatherEvidence } from './gather.ts';
import { leadOf, type Lead } from './lead.ts';
import type { Likenesses } from '../../search/likeness.ts';
import { plainQuestion } from './plain-question.ts';
import { contentTerms } from './question.ts';
import { isNext } from './select.ts';
import type { Quote } from './sentence-scores.ts';

/** A quote with its hit. */
interface Placed {
  quote: Quote;
  hit: SearchHit;
  lead: Lead | null;
}

/** Characters that would end the emphasis of a lead, or make it more than a value. */
const NOT_IN_LEAD = /[*\n[\]]/u;

export class ExtractiveEngine implements AnswerEngine {
  readonly #likenesses: Likenesses;

  constructor(likenesses: Likenesses) {
    this.#likenesses = likenesses;
  }

  async answer(given: AnswerRequest, draft: Draft): Promise<void> {
    if (isSmallTalk(given.question)) return say(draft, 'text', askAQuestion(languageOfSmallTalk(given.question)));
    const question = plainQuestion(given.question);
    const request = { ...given, question };
    const { earlier } = request;
    const previous = earlier.findLast((each) => !isSmallTalk(each.question));
    const readings = await readingsOf(question, previous?.query);
    const follow = readings.includes(question) ? '' : ', which points back to the conversation';
    await say(draft, 'reasoning', `Searching the collection for “${question}”${follow}.`);
    const found = new Set<string>();
    let evidence: Evidence[] = [];
    for (const query of readings) {
      const read = await gatherEvidence(query, request, draft, this.#likenesses);
      for (const { hits } of read) for (const { chunkId } of hits) found.add(chunkId);
      if (evidence.length === 0 || isBetter(read, evidence, question)) evidence = read;
    }
    const answered = evidence.filter(({ confidence }) => confidence >= THRESHOLD);
    const placed = answered.flatMap(placedQuotes);
    const quotes = placed.filter((each, at) => placed.findIndex((other) => isSame(other, each)) === at);
    const confidence = confidenceIn(answered.length > 0 ? answered : evidence);
    await draft.write((content) => {
      const reasoning = content.parts.find((part) => part.type === 'reasoning');
      if (reasoning !== undefined) reasoning.text += ` ${conclusion(found.size, quotes)}`;
      content.confidence = Math.round(confidence * 1000) / 1000;
    });
    if (quotes.length === 0) return say(draft, 'text', noAnswer(evidence[0]?.language ?? null));
    await quoteAll(draft, quotes, answered.find((each) => each.computation !== null)?.computation ?? null);
  }
}

const confidenceIn = (evidence: readonly Evidence[]): number =>
  Math.min(...evidence.map(({ confidence }) => confidence));

/**
 * Returns whether a reading with an earlier question answers better than the question by itself. Its quotes must be
 * about the question too: those about the earlier question alone would repeat the answer before.
 */
function isBetter(joined: readonly Evidence[], alone: readonly Evidence[], question: string): boolean {
  if (confidenceIn(joined) <= confidenceIn(alone)) return false;
  const held = heldOf(question, joined);
  return held > 0 && held >= heldOf(question, alone);
}

/** Returns how many content terms of the question the quotes contain; 1 for a question without any. */
function heldOf(question: string, evidence: readonly Evidence[]): number {
  const language = evidence[0]?.language ?? null;
  const terms = contentTerms(question, language);
  const quotes = evidence.flatMap(({ selection }) =>
    selection.quotes.map(({ header, text }) => `${header ?? ''}\n${text}`),
  );
  const held = new Set(quotes.flatMap((text) => analyse(text, language)));
  return terms.length === 0 ? 1 : terms.filter((term) => held.has(term)).length;
}

function placedQuotes({ selection, hits, question, language, computation }: Evidence): Placed[] {
  if (computation !== null) {
    const rows = [...new Set(computation.operands.map(({ row }) => row))].toSorted(
      (a, b) => a.chunk - b.chunk || a.start - b.start,
    );
    return rows.flatMap((row) => {
      const hit = hits[row.chunk];
      return hit === undefined ? [] : [{ quote: row, hit, lead: null }];
    });
  }
  return selection.quotes.flatMap((quote, at) => {
    const hit = hits[quote.chunk];
    if (hit === undefined) return [];
    // A value of the sentence behind the best one may be about something else.
    const led = isStartOf(selection.best, quote) ? selection.best : quote;
    const lead = at === 0 ? leadOf(led, question, language) : null;
    return [{ quote, hit, lead: lead !== null && NOT_IN_LEAD.test(lead.text + (lead.of ?? '')) ? null : lead }];
  });
}

/** Returns whether a quote is the best one, alone or with the sentence behind it. */
const isStartOf = (best: Quote | undefined, quote: Quote): best is Quote =>
  best?.chunk === quote.chunk && best.start === quote.start;

const isSame = (a: Placed, b: Placed): boolean => a.hit.chunkId === b.hit.chunkId && a.quote.start === b.quote.start;

function conclusion(found: number, quotes: readonly Placed[]): string {
  if (found === 0) return 'Nothing was found.';
  const documents = new Set(quotes.map(({ hit }) => hit.documentId)).size;
  if (documents === 0) return `None of the ${found} passages found answers the question.`;
  return `Quoting from ${documents === 1 ? '1 document' : `${documents} documents`} of the ${found} passages found.`;
}

async function quoteAll(draft: Draft, quotes: readonly Placed[], computation: Evidence['computation']): Promise<void> {
  const operands = new Map<Quote, CitedSpan[]>();
  if (computation !== null) {
    await draft.write(({ parts }) => {
      const part = parts.push({ type: 'text', text: '' }) - 1;
      const text = parts[part];
      if (text?.type === 'text') text.text = writeComputation(computation, part, quotes, operands);
    });
  }
  for (const [at, placed] of quotes.entries()) {
    await draft.write(({ parts, citations }) => {
      const citation = append(parts, citations, placed, quotes[at - 1]);
      citation?.spans.push(...(operands.get(placed.quote) ?? []));
    });
  }
}

/** Returns the result with its operands, each with the mark of its row, and collects the operands' spans by row. */
function writeComputation(
  { result, operands, signs, around, link = ' = ' }: NonNullable<Evidence['computation']>,
  part: number,
  quotes: readonly Placed[],
  spans: Map<Quote, CitedSpan[]>,
): string {
  let text = `**${result}**${link}${around?.[0] ?? ''}`;
  for (const [at, { row, cell }] of operands.entries()) {
    const index = quotes.findIndex(({ quote }) => quote.chunk === row.chunk && quote.start === row.start);
    const quote = quotes[index]?.quote ?? row;
    if (at > 0) text += (around === undefined ? signs[(at - 1) % signs.length] : around[at]) ?? '';
    spans.set(quote, [
      ...(spans.get(quote) ?? []),
      { part, start: text.length, end: text.length + cell.text.length, value: 'measure' },
    ]);
    text += `${cell.text} [${index + 1}]`;
  }
  return `${text}${around?.[operands.length] ?? ''}\n\n`;
}

/** Returns the headings above the quoted chunk, or the document's title or name. */
const headingOf = ({ headings, documentName, documentTitle }: SearchHit): string =>
  headings.join(' › ') || (documentTitle ?? documentName);

/** Returns the text before a quote. An ellipsis separates quotes that are not adjacent in their chunk. */
function joinTo(previous: Placed | undefined, placed: Placed): string {
  if (isSameTable(previous, placed)) return '\n';
  const { quote, hit, lead } = placed;
  if (lead === null && previous !== undefined && previous.hit.chunkId === hit.chunkId) {
    return isNext(quote, previous.quote) ? ' ' : ' … ';
  }
  return previous === undefined ? '' : '\n\n';
}

/** Returns whether the quote before is a row of the same table, below whose header this one is written. */
const isSameTable = (previous: Placed | undefined, { quote, hit, lead }: Placed): boolean =>
  lead === null &&
  quote.header !== null &&
  previous?.hit.chunkId === hit.chunkId &&
  previous.quote.header === quote.header;

/** Appends the lead in bold, the heading, and the quote with its mark. Returns its citation. */
function append(
  parts: MessagePart[],
  citations: Citation[],
  placed: Placed,
  previous: Placed | undefined,
): Citation | undefined {
  const { quote, hit, lead } = placed;
  let part = parts.findIndex((each) => each.type === 'text');
  if (part < 0) part = parts.push({ type: 'text', text: '' }) - 1;
  const text = parts[part];
  if (text?.type !== 'text') return undefined;
  const join = joinTo(previous, placed);
  text.text += join;
  const values: CitedSpan[] = [];
  if (lead !== null) {
    const start = text.text.length + '**'.length;
    text.text += `**${lead.text}**${lead.of === undefined ? '' : ` (${lead.of})`}\n\n`;
    values.push({ part, start, end: start + lead.text.length, value: lead.kind });
  }
  if (join === '' || join === '\n\n') text.text += `${headingOf(hit)}: `;
  // A row of a table makes sense only below its header: the header is shown, the row is cited.
  if (quote.header !== null && join !== '\n') text.text += `${quote.header}\n`;
  const start = text.text.length;
  const citation = citationOf(hit, citations.length + 1, quote);
  text.text += `${quote.text} [${citation.index}]`;
  citation.spans.push({ part, start, end: start + quote.text.length }, ...values);
  citations.push(citation);
  return citation;
}
