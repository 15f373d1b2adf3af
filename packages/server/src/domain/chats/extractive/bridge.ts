/**
 * Answers a question about a thing that it only describes: searches for the description, takes names from the sentences
 * that match it, and searches again for the question with these names. It adds two rounds of searches at most.
 */
import { analyse, detectLanguage } from './reading.ts';
import type { SearchHit } from '../../search/types.ts';
import { THRESHOLD } from './answerability.ts';
import type { Description } from './description.ts';
import type { Evidence } from './evidence.ts';
import { placedNames, type PlacedName } from './placed-names.ts';
import { asPart, type Search, type Weigh } from './rounds.ts';
import { withRow } from './select.ts';
import type { Quote } from './sentence-scores.ts';
import { isNamed, isPerson, shorterTitle } from './title-names.ts';
import { titlesOf } from './titles.ts';

/** Number of hits of a search for a description. */
const DESCRIPTION_HITS = 6;
/** Number of hits of a search for names, and for a question about one of them. */
const NAME_HITS = 12;
/** Number of sentences from which names are taken, and of names whose documents are searched. */
const MAX_SENTENCES = 6;
const MAX_NAMES = 6;
/** Number of names that the question is searched with. */
const MAX_ASKED = 2;
/** Confidence in the answer about the name that suffices with a sentence that matches the description. */
const WEAK_ANSWER = 0.2;
/** Confidence in that sentence below the threshold, if the search for the description finds its document first. */
const WEAK_LINK = 0.08;
/** Confidence in the sentence from which no other document is read. */
const SURE_LINK = 0.5;
/** Number of names without a document of their own that the question is searched with. */
const MAX_UNTITLED = 1;
/** Bonus for a document that says of which kind the described thing is. */
const KIND_BONUS = 0.2;

/** A name, and the quote that connects it with the description. */
interface Candidate {
  name: string;
  quote: Quote;
  inner: Evidence;
  /** The document with the quote. */
  from: string;
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
  const isOfName = description.isRelation && called.length > 0;
  const links = await linksIn(hits, found, description, isOfName, weigh);
  const candidates = ofKind(
    links.flatMap((inner) => candidatesIn(inner, question)),
    description,
  );
  if (candidates.length === 0) return NOT_SEARCHED;
  const titled = (among: readonly SearchHit[]): Candidate[] =>
    candidates.filter(({ name, from }) => among.some((hit) => hit.documentId !== from && isNamed(hit, name, language)));
  if (isLate()) return NOT_FOUND;
  const ask = async (asked: readonly Candidate[]): Promise<Answer[]> => {
    const answers = await Promise.all(asked.map((each) => answerAbout(each, description, { search, weigh })));
    return answers.flatMap((each) => (each === null || !isCertain(each, isOfName) ? [] : [each]));
  };
  const named = titled(found);
  let answers = await ask(named.slice(0, MAX_ASKED));
  if (answers.length === 0 && !isLate()) {
    // Names next to the description may have documents that were not found yet.
    const names = candidates.slice(0, MAX_NAMES).map(({ name }) => name);
    const all = titled([...found, ...(await search(names.join(', '), NAME_HITS))]);
    const further = all.filter((candidate) => !named.slice(0, MAX_ASKED).includes(candidate));
    if (!isLate()) answers = await ask(further.slice(0, MAX_ASKED));
    if (answers.length === 0 && !isLate()) answers = await ask(untitled(candidates, all));
  }
  const rated = answers.map((each) => ({
    ...each,
    rate: each.outer.confidence + (isOfKind(each, description) ? KIND_BONUS : 0),
  }));
  const [answer] = rated.toSorted((a, b) => b.rate - a.rate);
  if (answer === undefined) return NOT_FOUND;
  const { inner, outer, quote } = answer;
  const link = {
    ...inner,
    selection: withRow(inner.selection, quote),
    confidence: Math.max(inner.confidence, THRESHOLD),
  };
  return { evidence: [asPart(outer), link], searched: true };
}

/**
 * Returns the evidence for the description: that of the best sentence and, if it is not sure, that of the document that
 * the search finds first.
 */
async function linksIn(
  hits: readonly SearchHit[],
  found: readonly SearchHit[],
  { text }: Description,
  isOfName: boolean,
  weigh: Weigh,
): Promise<Evidence[]> {
  const inner = await weigh(hits, text);
  const { best } = inner.selection;
  const described = best === undefined ? undefined : inner.hits[best.chunk];
  if (described === undefined) return [];
  const first = found[0]?.documentId;
  const other =
    inner.confidence >= SURE_LINK || first === described.documentId
      ? null
      : await weigh(
          found.filter(({ documentId }) => documentId === first),
          text,
        );
  // "The painter of The Scream": the document of that name need not say "painter".
  const isLink = ({ confidence, hits: own, selection }: Evidence): boolean =>
    confidence >= THRESHOLD ||
    isOfName ||
    (confidence >= WEAK_LINK && selection.best !== undefined && own[selection.best.chunk]?.documentId === first);
  return [inner, ...(other === null ? [] : [other])].filter((each) => isLink(each));
}

interface Answer extends Candidate {
  outer: Evidence;
  /** Whether the document is called like the name; else it only mentions it. */
  isTitled: boolean;
}

/** Returns the first names without a document of their own: another document may be about them. */
const untitled = (candidates: readonly Candidate[], named: readonly Candidate[]): Candidate[] =>
  candidates.filter((candidate) => !named.includes(candidate)).slice(0, MAX_UNTITLED);

/** Nouns for persons, of whom no name is an abbreviation. */
const PERSON =
  /^(?:m[ae]n|wom[ae]n|person|author|writer|director|painter|artist|composer|singer|founder|architect|designer|inventor|engineer|physicist|mathematician|scientist|actor|actress|wife|husband|father|mother|son|daughter|sculptor|photographer|mann|frau|autor(?:in)?|maler(?:in)?|gründer(?:in)?|erfinder(?:in)?|homme|femme|peintre|fondat(?:eur|rice)|hombre|mujer)$/iu;

/** A name of one word with small letters: "Rembrandt". */
const ONE_NAME = /^\p{Lu}\p{Ll}[\p{L}'’-]{0,40}$/u;

/** Leaves out what is no person's name if the description is of a person, and there are names of persons. */
function ofKind(candidates: readonly Candidate[], { kind }: Description): readonly Candidate[] {
  const persons = PERSON.test(kind) ? candidates.filter(({ name }) => isPerson(name) || ONE_NAME.test(name)) : [];
  return persons.length > 0 ? persons : candidates;
}

/** Weighs the question about a name in the documents that are called like it, or else in those that mention it. */
async function answerAbout(
  candidate: Candidate,
  description: Description,
  { search, weigh }: { search: Search; weigh: Weigh },
): Promise<Answer | null> {
  const { name, from, inner } = candidate;
  const asked = description.about(name);
  const others = (await search(asked, NAME_HITS)).filter(({ documentId }) => documentId !== from);
  const titled = others.filter((hit) => isNamed(hit, name, inner.language));
  const [first] = titled;
  const called = first === undefined ? null : await weigh(titled, description.about(shorterTitle(first, name)));
  if (called !== null && called.confidence >= WEAK_ANSWER) return { ...candidate, outer: called, isTitled: true };
  const about = others.filter(({ text }) => text.includes(name));
  return about.length === 0 ? null : { ...candidate, outer: await weigh(about, asked), isTitled: false };
}

/** Returns whether the document about the name says of which kind the described thing is. */
function isOfKind({ outer }: Answer, { kind }: Description): boolean {
  const held = new Set(outer.hits.flatMap((hit) => analyse([hit.text, ...hit.headings].join('\n'), outer.language)));
  const terms = analyse(kind, outer.language);
  return terms.length > 0 && terms.every((term) => held.has(term));
}

/** Returns whether both sentences are certain enough together. */
function isCertain({ inner, outer, isTitled }: Answer, isOfName: boolean): boolean {
  if (!isTitled)
    return inner.confidence >= THRESHOLD && outer.confidence >= SURE_LINK && outer.signals?.lacksKind === false;
  if (outer.confidence >= THRESHOLD) return true;
  const isLinked = isOfName || inner.confidence >= THRESHOLD;
  return isLinked && outer.confidence >= WEAK_ANSWER && outer.signals?.lacksKind === false;
}

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
function candidatesIn(inner: Evidence, question: string): Candidate[] {
  const { selection, hits, language, question: described } = inner;
  const { best, quotes, rivals } = selection;
  if (best === undefined) return [];
  const asked = new Set(analyse(question, language));
  const isNew = (name: string): boolean => analyse(name, language).some((term) => !asked.has(term));
  const from = hits[best.chunk]?.documentId ?? '';
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
  return [...inSentences, ...frequent]
    .filter(({ name }, at, all) => isNew(name) && all.findIndex((other) => other.name.includes(name)) === at)
    .map((candidate) => ({ ...candidate, inner, from }));
}

/** Number of characters around a name in which words of the description count. */
const NEAR = 40;

/** Returns how many terms of the description are near to the name. */
function nearTo({ name, start }: PlacedName, text: string, terms: readonly string[], language: string | null): number {
  const around = `${text.slice(Math.max(0, start - NEAR), start)} ${text.slice(start + name.length, start + name.length + NEAR)}`;
  const held = new Set(analyse(around, language));
  return terms.filter((term) => held.has(term)).length;
}
