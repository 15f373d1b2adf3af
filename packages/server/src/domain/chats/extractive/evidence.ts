/** Evaluates retrieved chunks: selects quotes, decides whether they answer, and proposes a second search. */
import { analyse } from '@quire/text/language/analyse';
import { detectLanguage } from '@quire/text/language/detect';
import type { SearchHit } from '../../search/types.ts';
import type { Retrieved } from '../answer-engine.ts';
import { isAnswered, isFitted } from './answerability.ts';
import { hasOpposite, lacksRank } from './contrast.ts';
import { readQuestion } from './question.ts';
import { selectQuotes, type ChunkText, type Selection } from './select.ts';

export interface Evidence {
  hits: readonly SearchHit[];
  selection: Selection;
  isAnswered: boolean;
  /** Query of a second search: names in the best sentence, with the question's open terms. Null for none. */
  further: string | null;
}

/** Coverage (0..1) from which no second search is made. */
const COVERED = 0.8;
const MAX_NAMES = 3;
/** Consecutive capitalised words, also joined by a particle: "East Lempster, New Hampshire" is two names. */
const NAME = /\p{Lu}[\p{L}\p{Nd}'’-]+(?:\s(?:of\s|the\s|de\s|van\s)?\p{Lu}[\p{L}\p{Nd}'’-]+)*/gu;

export async function weighEvidence(query: string, { hits, denseModelId }: Retrieved): Promise<Evidence> {
  // To be comparable, question and chunks are analysed in one language.
  const asked = await detectLanguage(query);
  const language = await languageOf(query, asked, hits);
  const question = readQuestion(query, language);
  const selection = selectQuotes(question, hits.map(toChunkText), language);
  const { best, coverage, missingNames } = selection;
  if (best === undefined) return { hits, selection, isAnswered: false, further: null };
  const signals = {
    coverage,
    chunkCoverage: selection.chunkCoverage,
    similarity: isFitted(denseModelId, language) ? similarityOf(hits, best.chunk) : null,
    hasOpposite: hasOpposite(query, best.text),
    lacksRank: lacksRank(query, best.text),
    missingNames,
  };
  const open = question.terms.filter((term) => !best.covers.includes(term));
  const further = coverage >= COVERED ? null : furtherQuery(query, best.text, open, language);
  return { hits, selection, isAnswered: isAnswered(signals, asked === 'en' ? asked : language), further };
}

/**
 * Returns the question's language if a chunk has it too, else the language of all chunks together: detection on a short
 * question is unreliable.
 */
async function languageOf(query: string, asked: string | null, hits: readonly SearchHit[]): Promise<string | null> {
  const spoken = await Promise.all(hits.map((hit) => detectLanguage(hit.text)));
  if (asked !== null && spoken.includes(asked)) return asked;
  return detectLanguage(hits.map((hit) => hit.text).join('\n') || query);
}

const toChunkText = ({ text, headings, documentName }: SearchHit): ChunkText => ({
  text,
  headings,
  documentName: documentName.replace(/\.\p{L}\w*$/u, ''),
});

/** Returns the dense score; for a chunk that only the sparse search found, the lowest score of the others. */
function similarityOf(hits: readonly SearchHit[], chunk: number): number {
  const known = hits.flatMap(({ explain }) => explain?.dense?.score ?? []);
  return hits[chunk]?.explain?.dense?.score ?? (known.length === 0 ? 0 : Math.min(...known));
}

/** Returns names in the sentence that the question lacks, and the question's open words; null without names. */
function furtherQuery(
  query: string,
  sentence: string,
  open: readonly string[],
  language: string | null,
): string | null {
  const asked = new Set(analyse(query, language));
  const names = Array.from(sentence.matchAll(NAME), ([name]) => name).filter((name) =>
    analyse(name, language).some((term) => !asked.has(term)),
  );
  if (names.length === 0) return null;
  const words = (query.match(/[\p{L}\p{Nd}]+/gu) ?? []).filter((word) =>
    analyse(word, language).some((term) => open.includes(term)),
  );
  return [...new Set(names)].slice(0, MAX_NAMES).concat(words).join(' ');
}
