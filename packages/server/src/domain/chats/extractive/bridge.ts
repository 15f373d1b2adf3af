/**
 * Answers a question about a thing that it only describes: searches for the description, takes names from the sentences
 * that match it, and searches again for the question with these names. It adds two rounds of searches at most.
 */
import { analyse, detectLanguage } from './reading.ts';
import type { SearchHit } from '../../search/types.ts';
import { THRESHOLD } from './answerability.ts';
import type { Description } from './description.ts';
import type { Evidence } from './evidence.ts';
import { withRow } from './select.ts';
import type { Quote } from './sentence-scores.ts';
import { titlesOf } from './titles.ts';

/** Number of hits of a search for a description. */
const DESCRIPTION_HITS = 6;
/** Number of hits of a search for names, and for a question about one of them. */
const NAME_HITS = 12;
/** Number of sentences from which names are taken, and of names whose documents are searched. */
const MAX_SENTENCES = 6;
const MAX_NAMES = 6;
/** Number of quotes about the name. */
const MAX_QUOTES = 2;
/** Number of names that the question is searched with. */
const MAX_ASKED = 2;
/** Minimum share of the terms of a title that a name must have: a family name names a person. */
const MIN_TITLE_SHARE = 0.3;

type Search = (query: string, count: number) => Promise<readonly SearchHit[]>;
type Weigh = (hits: readonly SearchHit[], question: string) => Promise<Evidence>;

/** A name, and the quote that connects it with the description. */
interface Candidate {
  name: string;
  quote: Quote;
}

/** Searches for the description. */
export const searchDescription = ({ text }: Description, search: Search): Promise<readonly SearchHit[]> =>
  search(text, DESCRIPTION_HITS);

export interface Bridge {
  /** The evidence for the question about the name, and the quote that leads to the name; null without both. */
  evidence: Evidence[] | null;
  /** Whether names were searched. */
  searched: boolean;
}

const NOT_SEARCHED: Bridge = { evidence: null, searched: false };
const NOT_FOUND: Bridge = { evidence: null, searched: true };

/**
 * `found` are the hits of the description, before those of the whole question. `isLate` ends the plan before a search.
 */
export async function crossBridge(
  description: Description,
  found: readonly SearchHit[],
  question: string,
  { search, weigh, isLate }: { search: Search; weigh: Weigh; isLate: () => boolean },
): Promise<Bridge> {
  const language = await detectLanguage(question);
  // A description often names another thing with a document of its own, which states how the two are related.
  const called = found.filter((hit) => mentionsTitle(description.text, hit, language));
  const hits = called.length > 0 ? called : found;
  const inner = await weigh(hits, description.text);
  const { best } = inner.selection;
  const described = best === undefined ? undefined : hits[best.chunk];
  if (best === undefined || described === undefined) return NOT_SEARCHED;
  // "The painter of The Scream": the document of that name need not say "painter".
  const isOfName = description.isRelation && called.length > 0;
  if (inner.confidence < THRESHOLD && !isOfName) return NOT_SEARCHED;
  const from = described.documentId;
  const candidates = candidatesIn(inner, question);
  const titled = (among: readonly SearchHit[]): Candidate[] =>
    candidates.filter(({ name }) => among.some((hit) => hit.documentId !== from && isNamed(hit, name, language)));
  let named = titled(found);
  if (named.length === 0 && candidates.length > 0 && !isLate()) {
    const names = candidates.slice(0, MAX_NAMES).map(({ name }) => name);
    named = titled(await search(names.join(', '), NAME_HITS));
  }
  if (named.length === 0 || isLate()) return candidates.length === 0 ? NOT_SEARCHED : NOT_FOUND;
  const answers = await Promise.all(
    named.slice(0, MAX_ASKED).map(async ({ name, quote }) => {
      const asked = description.about(name);
      const about = (await search(asked, NAME_HITS)).filter(
        (hit) => hit.documentId !== from && isNamed(hit, name, language),
      );
      return about.length === 0 ? null : { outer: await weigh(about, asked), quote };
    }),
  );
  const [answer] = answers
    .flatMap((each) => (each === null || each.outer.confidence < THRESHOLD ? [] : [each]))
    .toSorted((a, b) => b.outer.confidence - a.outer.confidence);
  if (answer === undefined) return NOT_FOUND;
  const link = {
    ...inner,
    selection: withRow(inner.selection, answer.quote),
    confidence: Math.max(inner.confidence, THRESHOLD),
  };
  return { evidence: [shortened(answer.outer), link], searched: true };
}

/** Returns the evidence with its first quotes: the quote that leads to the name is added to them. */
const shortened = (evidence: Evidence): Evidence => ({
  ...evidence,
  selection: { ...evidence.selection, quotes: evidence.selection.quotes.slice(0, MAX_QUOTES) },
});

/** Returns whether the text contains the title of the hit's document. */
function mentionsTitle(text: string, hit: SearchHit, language: string | null): boolean {
  const held = new Set(analyse(text, language));
  return [...titlesOf(hit), hit.headings[0] ?? ''].some((title) => {
    const terms = analyse(title.replace(/\(.*/u, ''), language);
    return terms.length > 0 && terms.every((term) => held.has(term));
  });
}

/**
 * Returns the names that the question lacks, in the sentences of one document that match the description, the best
 * sentence first, and after them the most frequent names of that document. Within a sentence, names next to words of
 * the description come first.
 */
function candidatesIn({ selection, hits, language, question: described }: Evidence, question: string): Candidate[] {
  const { best, quotes, rivals } = selection;
  if (best === undefined) return [];
  const asked = new Set(analyse(question, language));
  const isNew = (name: string): boolean => analyse(name, language).some((term) => !asked.has(term));
  const from = hits[best.chunk]?.documentId;
  const sources = [...quotes, ...rivals]
    .filter(({ chunk }) => hits[chunk]?.documentId === from)
    .toSorted((a, b) => b.score - a.score)
    .slice(0, MAX_SENTENCES);
  const inSentences = sources.flatMap((quote) =>
    placedNames(quote.text)
      .map((each) => ({ ...each, near: nearTo(each, quote.text, described.terms, language) }))
      .toSorted((a, b) => b.near - a.near)
      .map(({ name }) => ({ name, quote })),
  );
  const elsewhere = hits
    .filter(({ documentId }) => documentId === from)
    .flatMap(({ text }) => placedNames(text).map(({ name }) => name));
  const counts = new Map<string, number>();
  for (const name of elsewhere) counts.set(name, (counts.get(name) ?? 0) + 1);
  const frequent = [...counts].toSorted((a, b) => b[1] - a[1]).map(([name]) => ({ name, quote: best }));
  return [...inSentences, ...frequent].filter(
    ({ name }, at, all) => isNew(name) && all.findIndex((other) => other.name.includes(name)) === at,
  );
}

interface PlacedName {
  name: string;
  start: number;
}

/** Number of characters around a name in which words of the description count. */
const NEAR = 40;

/** Returns how many terms of the description are near to the name. */
function nearTo({ name, start }: PlacedName, text: string, terms: readonly string[], language: string | null): number {
  const around = `${text.slice(Math.max(0, start - NEAR), start)} ${text.slice(start + name.length, start + name.length + NEAR)}`;
  const held = new Set(analyse(around, language));
  return terms.filter((term) => held.has(term)).length;
}

const QUOTED = /["“„«](?<title>\p{Lu}[^"“”„»]{2,60})["”“»]/gu;
/** Capitalised words and numbers behind them, joined by particles. */
const NAME =
  /(?:\p{Lu}\.){0,4}\p{Lu}[\p{L}\p{M}\p{Nd}'’-]{0,40}(?: (?:(?:of|the|de|du|des|la|le|van|von|der|di|da|del) ){0,2}(?:\p{Lu}[\p{L}\p{M}\p{Nd}'’-]{0,40}|\p{Nd}{1,4}(?![\p{L}\p{Nd}.,]))){0,8}/gu;

/** Returns titles in quotation marks, and names without possessive endings; no single word that begins the text. */
function placedNames(text: string): PlacedName[] {
  const quoted = Array.from(text.matchAll(QUOTED), ({ groups, index }) => ({
    name: (groups?.['title'] ?? '').replace(/[\s.,;:]{1,4}$/u, ''),
    start: index + 1,
  }));
  const names = Array.from(text.matchAll(NAME), ({ 0: name, index }) => ({
    name: name.replace(/['’]s?$/u, ''),
    start: index,
  }));
  return [...quoted, ...names].filter(({ name, start }) => name.length > 2 && (start > 0 || name.includes(' ')));
}

/** Returns whether a title may be the name of a person: up to four words, all but particles capitalised. */
const isPerson = (title: string): boolean =>
  /^\p{Lu}[\p{L}.'’-]*(?: (?:(?:de|da|del|van|von|der|di|la|le) ){0,2}\p{Lu}[\p{L}.'’-]*){1,3}$/u.test(title);

/** Returns whether a title of the hit's document is the name, or contains it as a family name. */
function isNamed(hit: SearchHit, name: string, language: string | null): boolean {
  const terms = new Set(analyse(name, language));
  return [...titlesOf(hit), hit.headings[0] ?? ''].some((title) => {
    const own = new Set(analyse(title.replace(/\(.*/u, ''), language));
    const shared = [...own].filter((term) => terms.has(term)).length;
    const isWhole = shared === own.size;
    return (
      shared > 0 && shared === terms.size && (isWhole || (isPerson(title) && shared / own.size >= MIN_TITLE_SHARE))
    );
  });
}
