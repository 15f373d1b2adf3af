/**
 * Answers a question about a thing that it only describes, from two documents: a sentence of the first one matches the
 * description and holds a name, and the second one is about that name and answers the rest of the question. Pairs are
 * rated by what both documents hold, so that a name of the best sentence loses to one whose own document answers. It
 * adds two rounds of searches at most.
 */
import type { SearchHit } from '../../search/types.ts';
import { THRESHOLD } from './answerability.ts';
import { holdsAsked } from './asked-value.ts';
import { linksTo, scoreFor, type Alike, type NamedLink } from './described-links.ts';
import type { Description } from './description.ts';
import type { Evidence } from './evidence.ts';
import { placedNames } from './placed-names.ts';
import { analyse } from './reading.ts';
import { asPart, joined, type Search, type Weigh } from './rounds.ts';
import { withRow } from './select.ts';
import type { Quote } from './sentence-scores.ts';
import { isNamed, mentionsTitle, shorterTitle } from './title-names.ts';
import { titlesOf } from './titles.ts';

/** Number of hits of a search for the description, for names, and for the question about one of them. */
const DESCRIPTION_HITS = 6;
const NAME_HITS = 8;
/** Number of names that are searched at once, and of those with which the question is searched before. */
const MAX_NAMES = 6;
const MAX_ASKED = 2;
/** Number of links that are paired with documents, and of pairs that are weighed. */
const MAX_LINKS = 24;
const MAX_WEIGHED = 3;
/** Number of chunks of a document in which its answer is sought. */
const MAX_ANSWER_CHUNKS = 5;
/** Weight of the link beside the answer: a document whose link does not match the description needs no answer. */
const LINK_WEIGHT = 1.5;
/** Bonus for a document that is called like the name: others mention it beside their subject. */
const TITLE_BONUS = 0.5;
/** Bonus for a title, or a sentence about the name, that says of which kind the described thing is. */
const KIND_BONUS = 0.4;
/** Weight of the confidence in the answer, and penalty for one without a value of the expected kind. */
const CONFIDENCE_WEIGHT = 2;
const LACKS_KIND_PENALTY = 0.5;
/** Score of a sentence from which it is about the described thing. */
const MIN_LINK = 0.8;
/** Score of a sentence from which a document that is called like its name need not hold a value of the kind. */
const SURE_LINK = 1.2;
/** Confidence in the answer of a document that only mentions the name; of one that is called like it, `THRESHOLD`. */
const SURE_ANSWER = 0.5;

interface DocumentPair {
  link: NamedLink;
  /** The chunks of the second document that answer best. */
  hits: readonly SearchHit[];
  /** Whether the second document is called like the name; else it only mentions it. */
  isTitled: boolean;
  score: number;
}

interface WeighedPair extends DocumentPair {
  outer: Evidence;
}

export interface PairSearch {
  search: Search;
  weigh: Weigh;
  alike: Alike;
  /** Returns whether the time for further rounds is over. */
  isLate: () => boolean;
}

export interface Crossed {
  /** The evidence of the second document, and the quote that leads to it; null without both. */
  evidence: Evidence[] | null;
  /** Whether names were searched. */
  searched: boolean;
}

/** Searches for the description. */
export const searchDescription = ({ text }: Description, search: Search): Promise<readonly SearchHit[]> =>
  search(text, DESCRIPTION_HITS);

/** `found` are the hits of the description, before those of the whole question. */
export async function crossPair(
  description: Description,
  found: readonly SearchHit[],
  whole: Evidence,
  { search, weigh, alike, isLate }: PairSearch,
): Promise<Crossed> {
  const links = (await linksTo(description, found, whole, alike)).filter(({ score }) => score >= MIN_LINK);
  const names = [...new Set(links.map(({ name }) => name))].slice(0, MAX_NAMES);
  if (names.length === 0 || isLate()) return { evidence: null, searched: false };
  const ask = (asked: readonly string[]): Promise<(readonly SearchHit[])[]> =>
    Promise.all(asked.map((name) => search(description.about(name), NAME_HITS)));
  const first = names.slice(0, MAX_ASKED);
  const [named, asked] = await Promise.all([search(names.join(', '), NAME_HITS), ask(first)]);
  const score = scoringRest(description, whole, alike);
  let pool = [named, ...asked].reduce(joined, found);
  let pairs = await pairsOf(links, pool, description, whole, score);
  const left = pairs.map(({ link }) => link.name).filter((name) => !first.includes(name));
  if (left.length > 0 && !isLate()) {
    pool = (await ask([...new Set(left)])).reduce(joined, pool);
    pairs = await pairsOf(links, pool, description, whole, score);
  }
  const weighed = await Promise.all(pairs.map((pair) => weighPair(pair, description, whole, weigh)));
  const [best] = weighed.filter(isCertain).toSorted((a, b) => rateOf(b) - rateOf(a));
  return { evidence: best === undefined ? null : evidenceOf(best, whole), searched: true };
}

type ScoreRest = (pool: readonly SearchHit[]) => Promise<ReadonlyMap<SearchHit, readonly Quote[]>>;

/** Returns a function that scores sentences for the rest of the question, each chunk once. */
function scoringRest({ about }: Description, whole: Evidence, alike: Alike): ScoreRest {
  const { language, question } = whole;
  const holds = ({ text, header }: Pick<Quote, 'text' | 'header'>): boolean =>
    question.expects !== null && holdsAsked(header === null ? text : `${header} ${text}`, question, language);
  const known = new Map<SearchHit, readonly Quote[]>();
  return async (pool) => {
    const fresh = pool.filter((hit) => !known.has(hit));
    for (const { hit, quotes } of await scoreFor(about(''), fresh, whole, holds, alike)) known.set(hit, quotes);
    return known;
  };
}

/** Returns the best pairs of a link and another document about its name, one for each second document. */
async function pairsOf(
  links: readonly NamedLink[],
  hits: readonly SearchHit[],
  description: Description,
  { language }: Evidence,
  score: ScoreRest,
): Promise<DocumentPair[]> {
  const documents = [...new Set(hits.map(({ documentId }) => documentId))]
    .map((id) => hits.filter(({ documentId }) => documentId === id))
    // The description leads away from the document that it calls by its title.
    .filter(([first]) => first !== undefined && !mentionsTitle(description.text, first, language));
  const subjects = placedNames(description.about('')).map(({ name }) => name);
  const joint = links.slice(0, MAX_LINKS).flatMap((link) =>
    documents
      .filter(([first]) => first?.documentId !== link.hit.documentId)
      .map((own) => ({ link, own, isTitled: own.slice(0, 1).some((hit) => isCalled(hit, link.name, language)) }))
      .filter((pair) => pair.isTitled || isAbout(pair.own, link.name, subjects, language)),
  );
  const chunks = await score([...new Set(joint.flatMap(({ own }) => own))]);
  const pairs = joint
    .map((pair) => ratedPair(pair, chunks, description, language))
    .toSorted((a, b) => b.score - a.score);
  const second = ({ hits: own }: DocumentPair): string | undefined => own[0]?.documentId;
  return pairs
    .filter((pair, at) => pairs.findIndex((other) => second(other) === second(pair)) === at)
    .slice(0, MAX_WEIGHED);
}

/** Returns whether a title of the hit's document is the name, or holds a name of several words. */
const isCalled = (hit: SearchHit, name: string, language: string | null): boolean =>
  (name.includes(' ') && titlesOf(hit).some((title) => title.includes(name))) || isNamed(hit, name, language);

/**
 * Returns whether the chunks of a document mention the name. A single word is rarely the name of the same thing, unless
 * the question names the subject of the document.
 */
function isAbout(
  own: readonly SearchHit[],
  name: string,
  subjects: readonly string[],
  language: string | null,
): boolean {
  const isMentioned = own.some(({ text }) => text.includes(name));
  const isSubject = own.slice(0, 1).some((hit) => subjects.some((subject) => isNamed(hit, subject, language)));
  return isMentioned && (name.includes(' ') || isSubject);
}

/** Rates a link and the best sentence of the second document together. */
function ratedPair(
  { link, own, isTitled }: Pick<DocumentPair, 'link' | 'isTitled'> & { own: readonly SearchHit[] },
  chunks: ReadonlyMap<SearchHit, readonly Quote[]>,
  { kind }: Description,
  language: string | null,
): DocumentPair {
  const best = (hit: SearchHit): number => Math.max(0, ...(chunks.get(hit) ?? []).map(({ score }) => score));
  const hits = own.toSorted((a, b) => best(b) - best(a)).slice(0, MAX_ANSWER_CHUNKS);
  const quotes = own.flatMap((hit) => chunks.get(hit) ?? []);
  const naming = quotes.filter(({ text }) => text.includes(link.name));
  // A document that only mentions the name answers in the sentence with the name.
  const answer = Math.max(0, ...(isTitled ? quotes : naming).map(({ score }) => score));
  const about = [...quotes.slice(0, 1), ...naming].map(({ text }) => text);
  const held = new Set([...about, ...own.slice(0, 1).flatMap(titlesOf)].flatMap((text) => analyse(text, language)));
  const kinds = analyse(kind, language);
  const isOfKind = kinds.length > 0 && kinds.every((term) => held.has(term));
  const bonus = (isTitled ? TITLE_BONUS : 0) + (isOfKind ? KIND_BONUS : 0);
  return { link, hits, isTitled, score: LINK_WEIGHT * link.score + answer + bonus };
}

/** Weighs the question about the name in the second document, by the name that this document uses. */
async function weighPair(
  pair: DocumentPair,
  { about }: Description,
  { language }: Evidence,
  weigh: Weigh,
): Promise<WeighedPair> {
  const { link, hits } = pair;
  const [first] = hits;
  const name = first !== undefined && isNamed(first, link.name, language) ? shorterTitle(first, link.name) : link.name;
  return { ...pair, outer: await weigh(hits, about(name)) };
}

/** Returns whether link and answer are certain enough together. */
function isCertain({ isTitled, link, outer }: WeighedPair): boolean {
  if (outer.confidence < (isTitled ? THRESHOLD : SURE_ANSWER)) return false;
  return outer.signals?.lacksKind === false || (isTitled && link.score >= SURE_LINK);
}

const rateOf = ({ score, outer }: WeighedPair): number =>
  score + CONFIDENCE_WEIGHT * outer.confidence - (outer.signals?.lacksKind === false ? 0 : LACKS_KIND_PENALTY);

/** Returns the answer about the name, and then the sentence that leads to the name. */
function evidenceOf({ outer, link: { quote, hit } }: WeighedPair, whole: Evidence): Evidence[] {
  const selection = withRow(whole.selection, { ...quote, chunk: 0 });
  return [asPart(outer), asPart({ ...whole, hits: [hit], selection, computation: null })];
}
