/** What retrieved passages say about a question: the quotes, whether they answer it, and what else to look for. */
import { analyse } from '@quire/text/language/analyse';
import { detectLanguage } from '@quire/text/language/detect';
import type { SearchHit } from '../../search/types.ts';
import type { Retrieved } from '../answer-engine.ts';
import { isAnswered, isFitted } from './answerability.ts';
import { hasOpposite, lacksRank } from './contrast.ts';
import { readQuestion } from './question.ts';
import { selectQuotes, type Passage, type Selection } from './select.ts';

export interface Evidence {
  hits: readonly SearchHit[];
  selection: Selection;
  isAnswered: boolean;
  /** What to search for besides: things that the best sentence names, with what the question asks of them. */
  further: string | null;
}

/** A question that is covered so far needs no second search. */
const COVERED = 0.8;
const MAX_NAMES = 3;
/** Words with capitals in a row, also joined by a small word: "East Lempster, New Hampshire" is two. */
const NAME = /\p{Lu}[\p{L}\p{Nd}'’-]+(?:\s(?:of\s|the\s|de\s|van\s)?\p{Lu}[\p{L}\p{Nd}'’-]+)*/gu;

export async function weighEvidence(query: string, { hits, denseModelId }: Retrieved): Promise<Evidence> {
  // Question and passages must be analysed alike to be compared; a passage tells its language better.
  const asked = await detectLanguage(query);
  const language = await languageOf(query, asked, hits);
  const question = readQuestion(query, language);
  const selection = selectQuotes(question, hits.map(toPassage), language);
  const { best, coverage, missingNames } = selection;
  if (best === undefined) return { hits, selection, isAnswered: false, further: null };
  const signals = {
    coverage,
    passageCoverage: selection.passageCoverage,
    similarity: isFitted(denseModelId, language) ? similarityOf(hits, best.passage) : null,
    hasOpposite: hasOpposite(query, best.text),
    lacksRank: lacksRank(query, best.text),
    missingNames,
  };
  const open = question.terms.filter((term) => !best.covers.includes(term));
  const further = coverage >= COVERED ? null : furtherQuery(query, best.text, open, language);
  return { hits, selection, isAnswered: isAnswered(signals, asked === 'en' ? asked : language), further };
}

/**
 * That of the question where a passage has it too: a collection may hold many languages. Else that of the passages
 * together, since a question is short and easily taken for another language.
 */
async function languageOf(query: string, asked: string | null, hits: readonly SearchHit[]): Promise<string | null> {
  const spoken = await Promise.all(hits.map((hit) => detectLanguage(hit.text)));
  if (asked !== null && spoken.includes(asked)) return asked;
  return detectLanguage(hits.map((hit) => hit.text).join('\n') || query);
}

const toPassage = ({ text, headings, documentName }: SearchHit): Passage => ({
  text,
  headings,
  documentName: documentName.replace(/\.\p{L}\w*$/u, ''),
});

/** A passage that only the sparse leg found is no nearer than the farthest one that the dense leg did. */
function similarityOf(hits: readonly SearchHit[], passage: number): number {
  const known = hits.flatMap(({ explain }) => explain?.dense?.score ?? []);
  return hits[passage]?.explain?.dense?.score ?? (known.length === 0 ? 0 : Math.min(...known));
}

/** Names of the sentence that the question lacks, and the words of the question's open terms; null without names. */
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
