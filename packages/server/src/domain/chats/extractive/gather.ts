/**
 * Searches for the parts of a question and weighs what is found. A question about one thing gets further searches for
 * names in its best chunk while a part of it is open. At most three rounds; the searches of a round run in parallel.
 */
import { analyse } from '@quire/text/language/analyse';
import { detectLanguage } from '@quire/text/language/detect';
import type { SearchHit } from '../../search/types.ts';
import type { AnswerRequest, Draft } from '../answer-engine.ts';
import { retrieveTool } from '../tools/retrieve.ts';
import { runTool } from '../tools/run-tool.ts';
import { THRESHOLD } from './answerability.ts';
import { weighEvidence, type Evidence } from './evidence.ts';
import { weighCompared } from './compared-things.ts';
import { comparedIn } from './comparison.ts';
import type { Alike } from './described-links.ts';
import { descriptionIn, type Description } from './description.ts';
import { crossPair, searchDescription } from './document-pairs.ts';
import { filingSearches, seeksFiling } from './figures/filing.ts';
import { figureSearches } from './figures/figure-searches.ts';
import type { Likenesses } from '../../search/likeness.ts';
import { plainPeriods } from './periods.ts';
import { partsOf } from './plan.ts';
import { contentTerms, holdsTerm } from './question.ts';
import { asPart, joined, type Search } from './rounds.ts';
import { operationIn } from './table-arithmetic.ts';
import { titlesOf } from './titles.ts';

/** Number of hits of a search for the question or a part of it. */
const HIT_COUNT = 10;
/** Number of hits of a search for a name in the best sentence. */
const FURTHER_HIT_COUNT = 10;
/** Share (0..1) of the question, by weight, in one sentence from which it needs no other document. */
const COMPLETE = 0.85;
const MAX_ROUNDS = 3;
/** Time within which the last of the further rounds begins, in ms. */
const MAX_FURTHER_MS = 25;
/** On a slow machine, that time in durations of the first round. */
const SLOW_FACTOR = 2;

/** Weighs hits for the query, or for a part of it. */
type Weigh = (hits: readonly SearchHit[], part?: string) => Promise<Evidence>;

/**
 * Returns the evidence of each part of the question, in the order of the parts. `given` is the question, or begins with
 * an earlier one that it refers to.
 */
export async function gatherEvidence(
  given: string,
  request: AnswerRequest,
  draft: Draft,
  likenesses: Likenesses,
): Promise<Evidence[]> {
  const { signal } = request;
  const spoken = await detectLanguage(given);
  const query = plainPeriods(given, spoken);
  const question = plainPeriods(request.question, spoken);
  const asked = query.endsWith(question) ? question : query;
  const weigh: Weigh = (hits, text = query) =>
    weighEvidence(text, hits, likenesses, signal, text === query ? asked : text);
  const searched = new Map<string, Promise<readonly SearchHit[]>>();
  const search: Search = (text, count) => {
    const hits =
      searched.get(text) ?? runTool(retrieveTool(count), { query: text }, request, draft).then((found) => found.hits);
    searched.set(text, hits);
    return hits;
  };
  const alike: Alike = async (text, texts) =>
    (await likenesses.of(spoken)?.ofTexts(text, texts, signal)) ?? new Map<string, number>();
  const startedAt = performance.now();
  const description = descriptionIn(query, spoken);
  const figures = [...figureSearches(query, spoken), ...filingSearches(query)];
  if (figures.length > 0) {
    // The first search is what a later question refers back to.
    const [whole = [], ...found] = await Promise.all([query, ...figures].map((text) => search(text, HIT_COUNT)));
    const computed = await weigh([...found, whole].reduce(joined));
    if (computed.computation !== null || seeksFiling(query)) return [computed];
  }
  const things = operationIn(query, spoken) === null ? comparedIn(query, spoken) : null;
  const compared = things === null ? null : await weighCompared(things, search, weigh);
  if (compared !== null) return compared;
  const parts = partsOf(query, spoken);
  if (parts.length > 1) {
    const found = await Promise.all([query, ...parts].map((part) => search(part, HIT_COUNT)));
    const [whole = [], ...each] = found;
    // The operands of a computation are parts of one question: its table holds both.
    if (operationIn(query, spoken) !== null) {
      const one = await weigh(whole);
      if (one.computation !== null) return [one];
    }
    if (!isNamed(query, parts, whole)) {
      const weighed = parts.map((part, index) => weighPart(part, parts, joined(each[index] ?? [], whole), weigh));
      return withPartner(parts, await Promise.all(weighed));
    }
    return followFurther(
      query,
      await weigh(whole),
      { startedAt, described: [], description },
      { search, weigh, alike },
    );
  }
  const [hits, described] = await Promise.all([
    search(query, HIT_COUNT),
    description === null ? [] : searchDescription(description, search),
  ]);
  return followFurther(query, await weigh(hits), { startedAt, described, description }, { search, weigh, alike });
}

interface Described {
  description: Description | null;
  /** Hits of the description. */
  described: readonly SearchHit[];
  /** When the first round began. */
  startedAt: number;
}

/** Follows the description of the question, or names in the best chunk. */
async function followFurther(
  query: string,
  whole: Evidence,
  { description, described, startedAt }: Described,
  { search, weigh, alike }: { search: Search; weigh: Weigh; alike: Alike },
): Promise<Evidence[]> {
  const furtherMs = Math.max(MAX_FURTHER_MS, SLOW_FACTOR * (performance.now() - startedAt));
  if (description !== null && !isComplete(whole)) {
    const weighedAt = performance.now();
    const isLate = (): boolean => performance.now() - weighedAt > furtherMs;
    const found = joined(described, whole.hits);
    const paired = await crossPair(description, found, whole, { search, weigh, alike, isLate });
    if (paired.evidence !== null) return paired.evidence;
    if (paired.searched) return [whole];
  }
  return [await followNames(query, whole, { search, weigh, furtherMs })];
}

/** Returns whether one sentence answers the whole question. */
const isComplete = ({ selection: { best, weights }, signals }: Evidence): boolean =>
  signals?.lacksKind === false &&
  best !== undefined &&
  [...best.covers, ...best.titled].reduce((sum, term) => sum + (weights.get(term) ?? 0), 0) >= COMPLETE;

/**
 * Weighs the hits for a part of the question. If the best quote is about another part, hits that hold the names of this
 * part alone are preferred.
 */
async function weighPart(
  part: string,
  parts: readonly string[],
  hits: readonly SearchHit[],
  weigh: Weigh,
): Promise<Evidence> {
  const first = await weigh(hits, part);
  const { language, selection, question } = first;
  const others = new Set(parts.filter((other) => other !== part).flatMap((other) => contentTerms(other, language)));
  const own = question.names.filter((name) => !others.has(name));
  const holdsOwn = (hit: SearchHit): boolean => {
    const held = new Set(analyse([...titlesOf(hit), ...hit.headings, hit.text].join('\n'), language));
    return own.every((term) => holdsTerm(held, term, question));
  };
  const best = selection.best === undefined ? undefined : hits[selection.best.chunk];
  if (best === undefined) return first;
  // The document that is called like the part is about it; others mention the name beside their subject.
  const called = preferWhole(
    hits.filter((hit) => isCalled(hit, own, language)),
    part,
    language,
  );
  if (called.length > 0 && !called.some(({ documentId }) => documentId === best.documentId)) {
    const direct = await weigh(called, part);
    if (direct.confidence >= Math.min(THRESHOLD, first.confidence)) return direct;
  }
  if (holdsOwn(best)) return first;
  const about = hits.filter(holdsOwn);
  const second = about.length > 0 ? await weigh(about, part) : first;
  return second.confidence >= THRESHOLD ? second : first;
}

/** Confidence in one part of a pair that suffices beside an answer about the other one. */
const WEAK_PARTNER = 0.1;

/** Raises a confidence below the threshold if the other part is answered, and the quote is about its own name. */
function withPartner(parts: readonly string[], weighed: readonly Evidence[]): Evidence[] {
  const isAnswered = weighed.some(({ confidence }) => confidence >= THRESHOLD);
  return weighed.map((each, index) => {
    const { confidence, hits, language, selection } = each;
    if (!isAnswered || confidence >= THRESHOLD || confidence < WEAK_PARTNER) return each;
    const others = new Set(parts.filter((_, at) => at !== index).flatMap((other) => contentTerms(other, language)));
    const own = contentTerms(parts[index] ?? '', language).filter((term) => !others.has(term));
    const best = selection.best === undefined ? undefined : hits[selection.best.chunk];
    const held = new Set(best === undefined ? [] : analyse([...titlesOf(best), best.text].join('\n'), language));
    return own.length > 0 && own.every((term) => held.has(term)) ? asPart(each) : each;
  });
}

async function followNames(
  query: string,
  first: Evidence,
  { search, weigh, furtherMs }: { search: Search; weigh: Weigh; furtherMs: number },
): Promise<Evidence> {
  let evidence = first;
  const searched = new Set([query]);
  const followedAt = performance.now();
  for (let round = 2; round <= MAX_ROUNDS; round += 1) {
    const further = evidence.further.filter(({ query: text }) => !searched.has(text));
    if (further.length === 0 || performance.now() - followedAt > furtherMs) break;
    for (const { query: text } of further) searched.add(text);
    const more = await Promise.all(
      further.map(async ({ name, query: text }) =>
        (await search(text, FURTHER_HIT_COUNT)).filter((hit) => isAbout(hit, name, evidence.language)),
      ),
    );
    const all = more.reduce<readonly SearchHit[]>(joined, evidence.hits);
    if (all.length === evidence.hits.length) break;
    const { coverage } = evidence.selection;
    evidence = await weigh(all);
    if (evidence.selection.coverage <= coverage) break;
  }
  return evidence;
}

/** Returns whether the hit's document has the names as its title. */
const isCalled = (hit: SearchHit, names: readonly string[], language: string | null): boolean =>
  names.length > 0 &&
  titlesOf(hit).some((title) => {
    const terms = new Set(analyse(title.replace(/\(.*/u, ''), language));
    return terms.size === names.length && names.every((name) => terms.has(name));
  });

/**
 * Returns the hits whose title has no addition in brackets, if there are any: "Ed Wood" is about the person, and
 * "Ed Wood (film)" about something named after him, unless the question has a word of the addition.
 */
function preferWhole(called: readonly SearchHit[], question: string, language: string | null): readonly SearchHit[] {
  const asked = new Set(analyse(question, language));
  const isWhole = (hit: SearchHit): boolean =>
    titlesOf(hit).some((title) => {
      const [addition] = /\(.*/u.exec(title) ?? [];
      return addition === undefined || analyse(addition, language).some((term) => asked.has(term));
    });
  const whole = called.filter(isWhole);
  return whole.length > 0 ? whole : called;
}

/** Returns whether a title of the hit contains the name: other hits mention it beside the point. */
function isAbout(hit: SearchHit, name: string, language: string | null): boolean {
  const terms = analyse(name, language);
  return [...titlesOf(hit), ...hit.headings].some((title) => {
    const own = new Set(analyse(title, language));
    return terms.every((term) => own.has(term));
  });
}

/** Returns whether the two things are one name, such as the title "Pride and Prejudice": a title contains it whole. */
function isNamed(query: string, parts: readonly string[], hits: readonly SearchHit[]): boolean {
  const [first = '', second = ''] = parts;
  const [start, end] = [commonStart(first, second), commonEnd(first, second)];
  const pair = query
    .slice(start, query.length - end)
    .trim()
    .toLowerCase();
  if (pair === '') return false;
  return hits.some((hit) => [...titlesOf(hit), ...hit.headings].some((title) => title.toLowerCase().includes(pair)));
}

function commonStart(a: string, b: string): number {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length += 1;
  return length;
}

function commonEnd(a: string, b: string): number {
  let length = 0;
  while (length < a.length && a.at(-1 - length) === b.at(-1 - length)) length += 1;
  return length;
}
