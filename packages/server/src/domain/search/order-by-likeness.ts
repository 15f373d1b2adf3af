/**
 * Orders the first hits of a hybrid search by meaning too, in languages that the embedding model of the collection does
 * not represent: the static model that is shipped for a language compares its chunks with the query.
 * docs/decisions/2026-11-24-search-by-meaning-in-german-french-spanish.md has the figures.
 */
import type { LanguageShare } from '@quire/text/language/analyse-query';
import type { Likenesses } from './likeness.ts';
import type { RankedHit } from './rerank-hits.ts';

/** Number of hits that are compared. */
export const COMPARED_HITS = 20;
/** Weight of the likeness; that of the fused score is 1 minus it. */
const LIKENESS_WEIGHT = 0.15;
/** Chunks in this language are compared by the embedding model. */
const ENGLISH = 'en';

/** Share of the documents from which their language takes part. */
const MIN_SHARE = 0.1;

/** Returns whether many of the documents are in a language other than English that has a static model. */
export function holdsForeign(shares: readonly LanguageShare[], likenesses: Pick<Likenesses, 'of'>): boolean {
  const total = shares.reduce((sum, { documents }) => sum + documents, 0);
  return shares.some(
    ({ language, documents }) =>
      documents >= total * MIN_SHARE && language !== ENGLISH && likenesses.of(language) !== null,
  );
}

/**
 * Orders hits whose scores are fused, 0..1. A cosine counts as its place between the lowest and the highest of the
 * compared hits; a hit in another language keeps its score. Nothing changes unless most of the first hits are compared.
 */
export async function orderByLikeness(
  likenesses: Pick<Likenesses, 'of'>,
  query: string,
  hits: readonly RankedHit[],
  signal: AbortSignal,
): Promise<RankedHit[]> {
  const first = hits.slice(0, COMPARED_HITS);
  const cosines = await cosinesOf(likenesses, query, first, signal);
  const [lowest, highest] = [Math.min(...cosines.values()), Math.max(...cosines.values())];
  if (cosines.size * 2 <= first.length || highest <= lowest) return [...hits];
  const ordered = first.map((hit): RankedHit => {
    const likeness = cosines.get(hit);
    if (likeness === undefined) return { ...hit, fused: hit.score };
    const place = (likeness - lowest) / (highest - lowest);
    return { ...hit, fused: hit.score, likeness, score: weighted(hit.score, place) };
  });
  const rest = hits.slice(COMPARED_HITS).map((hit): RankedHit => ({
    ...hit,
    fused: hit.score,
    score: weighted(hit.score, 0),
  }));
  return [...ordered.toSorted((a, b) => b.score - a.score), ...rest];
}

const weighted = (fused: number, likeness: number): number =>
  (1 - LIKENESS_WEIGHT) * fused + LIKENESS_WEIGHT * likeness;

/** Returns the cosine of the query and each chunk in a language of a shipped model, without English. */
async function cosinesOf(
  likenesses: Pick<Likenesses, 'of'>,
  query: string,
  hits: readonly RankedHit[],
  signal: AbortSignal,
): Promise<Map<RankedHit, number>> {
  const found = new Map<RankedHit, number>();
  for (const language of new Set(hits.map(({ chunk }) => chunk.language))) {
    const likeness = language === ENGLISH ? null : likenesses.of(language);
    if (likeness === null) continue;
    const own = hits.filter(({ chunk }) => chunk.language === language);
    const cosines = await likeness.ofTexts(query, own.map(textOf), signal);
    for (const hit of own) found.set(hit, cosines.get(textOf(hit)) ?? 0);
  }
  return found;
}

const textOf = ({ chunk }: RankedHit): string => [...chunk.headings, chunk.text].join('\n');
