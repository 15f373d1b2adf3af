/** Weighs the two things of a comparison, each by the document that is about it. */
import type { SearchHit } from '../../search/types.ts';
import { THRESHOLD } from './answerability.ts';
import type { Compared } from './comparison.ts';
import type { Evidence } from './evidence.ts';
import { asPart, joined, type Search, type Weigh } from './rounds.ts';
import { isNamed } from './title-names.ts';

const THING_HITS = 6;
const QUESTION_HITS = 8;

/**
 * Returns the evidence for each thing, or null unless both have a document with a sentence that holds a value of the
 * kind that is compared.
 */
export async function weighCompared(
  things: readonly [Compared, Compared],
  search: Search,
  weigh: Weigh,
): Promise<Evidence[] | null> {
  const found = await Promise.all(things.map((thing) => weighThing(thing, search, weigh)));
  const evidence = found.flatMap((each) => each ?? []);
  const documents = new Set(evidence.map(({ hits }) => hits[0]?.documentId));
  return evidence.length === things.length && documents.size === things.length ? evidence : null;
}

const hasValue = ({ signals, selection }: Evidence): boolean =>
  signals?.lacksKind === false && selection.best !== undefined;

async function weighThing({ text, question, plain }: Compared, search: Search, weigh: Weigh): Promise<Evidence | null> {
  const [called, asked] = await Promise.all([search(text, THING_HITS), search(question, QUESTION_HITS)]);
  const hits = joined(called, asked);
  const documentId = await documentAbout(text, called, hits, weigh);
  if (documentId === undefined) return null;
  const own = hits.filter((hit) => hit.documentId === documentId);
  const whole = await weigh(own, question);
  // The sentence that names the thing need not be the one with the value.
  const about = hasValue(whole) ? whole : await weigh(own, plain);
  return hasValue(about) ? asPart(about) : null;
}

/** Returns the document that is called like the thing, or the one with the sentence that describes it. */
async function documentAbout(
  text: string,
  called: readonly SearchHit[],
  hits: readonly SearchHit[],
  weigh: Weigh,
): Promise<string | undefined> {
  const described = await weigh(called, text);
  const { language, selection, confidence } = described;
  const name = (text.match(/(?<!\p{L})[\p{Lu}\p{Nd}][\p{L}\p{Nd}'’.+-]{0,40}/gu) ?? []).join(' ');
  const isOnlyName = name.length >= text.length / 2;
  const titled = name === '' ? undefined : hits.find((hit) => isNamed(hit, name, language));
  if (titled !== undefined && isOnlyName) return titled.documentId;
  const best = selection.best === undefined ? undefined : described.hits[selection.best.chunk]?.documentId;
  // Search and sentence agree, or the sentence alone is certain.
  return confidence >= THRESHOLD || best === called[0]?.documentId ? best : undefined;
}
