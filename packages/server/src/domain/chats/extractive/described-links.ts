/** Finds the names that sentences like a description hold: one of them is that of the described thing. */
import type { SearchHit } from '../../search/types.ts';
import type { Description } from './description.ts';
import type { Evidence } from './evidence.ts';
import { placedNames } from './placed-names.ts';
import { holdsTerm, type Question } from './question.ts';
import { analyse } from './reading.ts';
import { withLikeness } from './sentence-likeness.ts';
import { scoreChunk, type Quote } from './sentence-scores.ts';
import { isPerson, isPersonKind, mentionsTitle } from './title-names.ts';
import { titlesOf } from './titles.ts';
import { valuesOf } from './values.ts';

/** Returns the likeness of a question to each text. */
export type Alike = (question: string, texts: readonly string[]) => Promise<ReadonlyMap<string, number>>;

/** A name, and the sentence that connects it with the description. */
export interface NamedLink {
  name: string;
  quote: Quote;
  /** The chunk with the quote. */
  hit: SearchHit;
  /** How well sentence and name match the description. */
  score: number;
}

export interface ScoredChunk {
  hit: SearchHit;
  quotes: readonly Quote[];
}

/** Number of chunks in which the description is sought. */
const MAX_LINK_HITS = 6;
/** Share of a sentence's score that names of the sentences beside it have. */
const BESIDE_SHARE = 0.7;
/** Weight of the rarity (0..1) of a name among the chunks: a name in most of them is that of their subject. */
const RARITY_WEIGHT = 0.4;
/** Bonus for a name of a person, if one is described. */
const PERSON_BONUS = 0.3;
/** Weight of the share (0..1) of the description's names that the chunk of a link lacks. */
const MISSING_WEIGHT = 0.8;
/** Weight of the logarithm of how often the chunks of the document hold a name. */
const FREQUENCY_WEIGHT = 0.1;
/** Number of names in a sentence that describes them; each further one costs a penalty, since lists describe none. */
const MAX_DESCRIBED = 3;
const LIST_PENALTY = 0.05;
/** Bonus for a link in a document that the description calls by its title. */
const CALLED_BONUS = 0.3;

/** Words behind a company's name, which other documents leave out. */
const LEGAL_FORM = /,? (?:Ltd|Limited|LLP|LLC|plc|PLC|Inc|Corp|Co|GmbH|AG|KG|OHG|SE|SA|SARL|SAS|SL|BV|NV|AB|Oy)\.?$/u;
const ONLY_LEGAL_FORM = /^(?:Ltd|Limited|LLP|LLC|plc|PLC|Inc|Corp|GmbH|SARL|SAS)\.?$/u;
/** Words that begin a sentence and are no part of the name behind them. */
const LEADING =
  /^(?:The|An?|der|die|das|dem|den|des|Der|Die|Das|Dem|Den|Des|La|Les?|El|Los|Las|For|From|In|On|At|With|By) /u;
/** Words between two German nouns, which may be parts of one name or not. */
const GERMAN_PARTICLES = / (?:von|der|des|dem|den|im|und|für) /u;

/** Scores the sentences of chunks for a part of the question: its terms weigh as in the whole question. */
export async function scoreFor(
  part: string,
  hits: readonly SearchHit[],
  whole: Evidence,
  holds: (quote: Pick<Quote, 'text' | 'header'>) => boolean,
  alike: Alike,
): Promise<ScoredChunk[]> {
  const { question, language } = whole;
  const weights = weightsOf(part, whole);
  const quotes = hits.flatMap((hit, at) =>
    scoreChunk({ ...hit, titles: titlesOf(hit) }, at, { question, weights, holds, language }),
  );
  const texts = quotes.map(({ text }) => text);
  const scored = withLikeness(quotes, await alike(part, texts), language);
  return hits.map((hit, at) => ({ hit, quotes: scored.filter(({ chunk }) => chunk === at) }));
}

/** Returns the weights of the terms of a part of the question, so that they sum to 1. */
function weightsOf(part: string, { selection, language }: Evidence): Map<string, number> {
  const terms = new Set(analyse(part, language));
  const own = [...selection.weights].filter(([term]) => terms.has(term));
  const total = own.reduce((sum, [, weight]) => sum + weight, 0);
  return new Map(own.map(([term, weight]) => [term, weight / total]));
}

/** Returns the names that sentences like the description hold and the question lacks, the best first. */
export async function linksTo(
  description: Description,
  hits: readonly SearchHit[],
  whole: Evidence,
  alike: Alike,
): Promise<NamedLink[]> {
  const chunks = await scoreFor(description.text, hits.slice(0, MAX_LINK_HITS), whole, () => false, alike);
  const links = chunks.flatMap((chunk) => linksIn(chunk, description, hits, whole));
  const ranked = links.toSorted((a, b) => b.score - a.score);
  const isSame = (a: NamedLink, b: NamedLink): boolean => a.name === b.name && a.hit.documentId === b.hit.documentId;
  return ranked.filter((link, at) => ranked.findIndex((other) => isSame(other, link)) === at);
}

/** Returns the names in the sentences of a chunk. */
function linksIn(
  { hit, quotes }: ScoredChunk,
  { text, kind }: Description,
  hits: readonly SearchHit[],
  { language, question }: Evidence,
): NamedLink[] {
  const own = hits.filter(({ documentId }) => documentId === hit.documentId);
  const called = mentionsTitle(text, hit, language) ? CALLED_BONUS : 0;
  const ofChunk = called - MISSING_WEIGHT * missingNames(text, hit, question, language);
  const bonusOf = (name: string): number =>
    RARITY_WEIGHT * rarityOf(name, hits) +
    FREQUENCY_WEIGHT * Math.log(Math.max(1, countOf(name, own))) +
    (isPersonKind(kind) && isPerson(name) ? PERSON_BONUS : 0);
  return quotes.flatMap((quote, at) => {
    // Rows of a table say nothing about each other.
    const beside = quote.header === null ? quotes.slice(Math.max(0, at - 1), at + 2) : [];
    const ofSentence = Math.max(quote.score, ...beside.map(({ score }) => score * BESIDE_SHARE));
    const names = namesIn(quote, question, language);
    const listed = LIST_PENALTY * Math.max(0, names.length - MAX_DESCRIBED);
    return names.map((name) => ({ name, quote, hit, score: ofSentence + ofChunk - listed + bonusOf(name) }));
  });
}

/** Returns the rarity (0..1) of a name: 1 if no chunk holds it. */
function rarityOf(name: string, hits: readonly SearchHit[]): number {
  const count = hits.filter(({ text }) => text.includes(name)).length;
  return Math.log((hits.length + 1) / (count + 1)) / Math.log(hits.length + 1);
}

const countOf = (name: string, hits: readonly SearchHit[]): number =>
  hits.reduce((sum, { text }) => sum + text.split(name).length - 1, 0);

/** Returns the share (0..1) of the names in the description that chunk and titles lack. */
function missingNames(description: string, hit: SearchHit, question: Question, language: string | null): number {
  const terms = analyse(description, language);
  const sought = question.names.filter((term) => terms.includes(term));
  const held = new Set(analyse([hit.text, ...hit.headings, ...titlesOf(hit)].join('\n'), language));
  return sought.filter((term) => !holdsTerm(held, term, question)).length / Math.max(1, sought.length);
}

/** Returns the names of a sentence that the question lacks; of German nouns, those of several words. */
function namesIn({ text }: Quote, { all }: Question, language: string | null): string[] {
  const isNew = (name: string): boolean => analyse(name, language).some((term) => !all.includes(term));
  const isLong = (name: string): boolean => name.length > 2 && (language !== 'de' || name.includes(' '));
  const names = placedNames(text)
    .flatMap(({ name }) => (language === 'de' ? [name, ...name.split(GERMAN_PARTICLES)] : [name]))
    .map((name) => name.replace(LEGAL_FORM, '').replace(LEADING, ''));
  return [...new Set(names)]
    .filter((name) => isLong(name) && !ONLY_LEGAL_FORM.test(name) && isNew(name))
    .filter((name) => valuesOf(name, 'date', language).length === 0);
}
