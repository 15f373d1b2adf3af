/**
 * Writes the model's text into the draft and turns its marks into citations. A mark of a retrieved chunk that supports
 * the statement gets the number of its citation; every other mark is dropped, and a single
 * mark is replaced if another chunk says most of the statement. Numbers follow the order of the text and
 * never change.
 */
import type { Citation } from '../../../database/tables.ts';
import { sentences } from '@quire/text/language/sentences';
import type { AnswerMeter, Draft } from '../answer-engine.ts';
import { citationOf } from '../citation.ts';
import { SafeMarkup } from './safe-markup.ts';
import { MarkReader, type MarkedPiece } from './mark-reader.ts';
import type { Source, SourceList } from './source-list.ts';
import { findMostOf, findQuote, findSupport, type SharedSupport, type Support } from './support.ts';

const MARKS = /(?<!\s)(?:\s*\[\d+\])+/gu;
const MARKS_AT_START = /^(?:\s*\[\d+\])*\s*/u;

export class CitedText {
  readonly #draft: Draft;
  readonly #meter: AnswerMeter;
  readonly #sources: SourceList;
  readonly #markup: SafeMarkup;
  #marks = new MarkReader();
  /** Text of the part that is being written. */
  #text = '';
  /** The statements of the part that have a citation. */
  #cited: Statement[] = [];

  constructor(draft: Draft, meter: AnswerMeter, sources: SourceList) {
    this.#draft = draft;
    this.#meter = meter;
    this.#sources = sources;
    this.#markup = new SafeMarkup((address) => sources.all.some(({ hit }) => hit.text.includes(address)));
  }

  async push(piece: string): Promise<void> {
    for (const each of this.#marks.push(piece)) await this.#write(each);
  }

  /** Ends the part; the next text begins another one. */
  async end(): Promise<void> {
    for (const each of this.#marks.end()) await this.#write(each);
    await this.#append(this.#markup.end());
    await this.#citeUnmarked();
    this.#marks = new MarkReader();
    this.#text = '';
    this.#cited = [];
  }

  /** Cites sentences without a citation that repeat a chunk in nearly the same words: small models forget marks. */
  async #citeUnmarked(): Promise<void> {
    let start = 0;
    for (const sentence of sentences(this.#text)) {
      const lead = MARKS_AT_START.exec(sentence)?.[0].length ?? 0;
      const statement = { start: start + lead, end: start + sentence.trimEnd().length, text: sentence.slice(lead) };
      start += sentence.length;
      if (this.#cited.some((cited) => cited.start < statement.end && cited.end > statement.start)) continue;
      const found = await this.#nearQuote(statement.text.replaceAll(MARKS, ' '));
      if (found !== undefined) await this.#cite(null, found.source, found.support, statement);
    }
  }

  async #nearQuote(text: string): Promise<{ source: Source; support: Support } | undefined> {
    for (const source of this.#sources.all) {
      const support = await findQuote(text, source.hit.text);
      if (support !== null) return { source, support };
    }
    return undefined;
  }

  async #write(piece: MarkedPiece): Promise<void> {
    if (piece.type === 'text') return this.#append(this.#markup.push(piece.text));
    await this.#append(this.#markup.end());
    const statement = statementBefore(this.#text);
    const cited: SharedBy[] = [];
    for (const number of piece.numbers) {
      const source = this.#sources.get(number);
      const support = source && (await findSupport(statement.text, source.hit.text));
      if (source && support) cited.push({ source, support });
      else this.#meter.dropMark(source === undefined ? 'unknown' : 'unverified');
    }
    const [marked] = cited;
    if (marked === undefined || (cited.length === 1 && !(await saysMost(marked.source, statement.text)))) {
      const other = await this.#otherSource(statement.text);
      if (other !== undefined) cited.splice(0, 1, other);
    }
    let lead = piece.lead;
    for (const { source, support } of cited) {
      await this.#cite(lead, source, support, statement);
      lead = '';
    }
  }

  /** Returns the source that says most of a statement; small models mix the numbers of their marks up. */
  async #otherSource(text: string): Promise<SharedBy | undefined> {
    let best: SharedBy | undefined;
    for (const source of this.#sources.all) {
      const support = await saysMost(source, text);
      if (support !== null && support.share > (best?.support.share ?? 0)) best = { source, support };
    }
    return best;
  }

  async #append(piece: string): Promise<void> {
    const begins = this.#text === '';
    const text = begins ? piece.trimStart() : piece;
    if (text === '') return;
    this.#text += text;
    await this.#draft.write(({ parts }) => {
      const last = parts.at(-1);
      if (begins || last?.type !== 'text') parts.push({ type: 'text', text });
      else last.text += text;
    });
  }

  /** Adds a citation. `lead` is the white space before its mark; null for a citation without a mark. */
  async #cite(lead: string | null, source: Source, support: Support, statement: Statement): Promise<void> {
    await this.#draft.write(({ parts, citations }) => {
      const part = parts.length - 1;
      const text = parts[part];
      if (text?.type !== 'text') return;
      const citation = citationIn(citations, source, support);
      const span = { part, start: statement.start, end: statement.end };
      const isKnown = citation.spans.some((each) => each.part === part && each.start === span.start);
      if (!isKnown) citation.spans.push(span);
      const mark = `[${citation.index}]`;
      if (lead !== null && !(isKnown && text.text.endsWith(mark))) text.text += lead + mark;
      this.#cited.push(statement);
      this.#text = text.text;
    });
  }
}

const saysMost = ({ hit }: Source, statement: string): Promise<SharedSupport | null> =>
  findMostOf(statement, hit.text, [hit.documentName, ...hit.headings].join('\n'));

interface SharedBy {
  source: Source;
  support: SharedSupport;
}

interface Statement {
  start: number;
  end: number;
  /** Text of the statement, without marks. */
  text: string;
}

/** Returns the length of the text without the marks and the white space at its end. */
function endWithoutMarks(text: string): number {
  let end = text.trimEnd().length;
  while (text[end - 1] === ']') {
    const open = text.lastIndexOf('[', end - 1);
    if (open < 0 || !/^\d+$/.test(text.slice(open + 1, end - 1))) break;
    end = text.slice(0, open).trimEnd().length;
  }
  return end;
}

/** Returns the last sentence of the text, without the marks before and after it. */
function statementBefore(text: string): Statement {
  const end = endWithoutMarks(text);
  const last = sentences(text.slice(0, end)).at(-1) ?? '';
  const start = end - last.replace(MARKS_AT_START, '').length;
  return { start, end, text: text.slice(start, end).replaceAll(MARKS, ' ') };
}

/** Returns the existing citation of this snippet, or adds one. */
function citationIn(citations: Citation[], { hit }: Source, support: Support): Citation {
  const made = citationOf(hit, citations.length + 1, support);
  const existing = citations.find((each) => each.chunkId === made.chunkId && each.snippet === made.snippet);
  if (existing === undefined) citations.push(made);
  return existing ?? made;
}
