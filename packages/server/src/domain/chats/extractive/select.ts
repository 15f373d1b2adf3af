/**
 * Picks the sentences that answer a question out of retrieved passages.
 *
 * A sentence counts by the question's terms in it (rare ones more: a term in few of the passages tells them apart),
 * by half where a term stands only around it (its passage, its headings), by the rank of its passage, and by whether it
 * holds the kind of thing that is asked for. Sentences are taken one after the other, each for what it adds: of a question
 * about two things both are to be quoted.
 */
import { analyse } from '@quire/text/language/analyse';
import { holdsExpected, type Question } from './question.ts';
import { quotables, type Quotable } from './passages.ts';

export interface Passage {
  text: string;
  headings: readonly string[];
  /** Of the document; its words count as headings do. */
  documentName: string;
}

export interface Quote extends Quotable {
  /** Which passage it is from. */
  passage: number;
  score: number;
  /** Terms of the question in it. */
  covers: readonly string[];
  /** 0..1: their share of the question, by weight. */
  coverage: number;
}

export interface Selection {
  /** In the order in which they are to be said; empty when no passage has anything of the question. */
  quotes: Quote[];
  /** The one that answers best. */
  best: Quote | undefined;
  /** 0..1: share of the question's terms, by weight, in the best one and in quotes of other things it speaks of. */
  coverage: number;
  /** 0..1: share of the question's terms that stand anywhere in the passage of the best one. */
  passageCoverage: number;
  /** Names and numbers of the question that stand nowhere around those quotes. */
  missingNames: number;
}

const NOTHING: Selection = { quotes: [], best: undefined, coverage: 0, passageCoverage: 0, missingNames: 0 };
/** Fewer and neater costs answers: 115, SQuAD 2 .82 → .80, CLAPnq .78 → .73. Headings and marks come on top. */
const MAX_WORDS = 120;
const MAX_QUOTES = 5;
const AROUND = 0.5;
const EXPECTED = 0.25;
const RANK = 0.35;
const HEADING = 0.5;
/** A further sentence must be worth this share of the best one. */
const WORTH = 0.5;
/** What a term counts that an earlier quote has covered, when the next one is chosen. */
const COVERED = 0.25;
/** What the first quote of a passage counts whose title is spoken of in the question or the best sentence. */
const NAMED = 0.5;
/** Characters between two sentences of a paragraph. */
const LONGEST_GAP = 2;
/** Passages that are quoted from; the others only tell which terms are common. */
const QUOTED_PASSAGES = 5;

export function selectQuotes(question: Question, passages: readonly Passage[], language: string | null): Selection {
  const weights = weigh(question, passages, language);
  const quotes = passages.flatMap((passage, at) => scorePassage(question, passage, at, weights, language));
  const first = quotes.filter((quote) => quote.passage < QUOTED_PASSAGES);
  const best = first.toSorted((a, b) => b.score - a.score)[0];
  if (best === undefined || quotes.every((quote) => quote.coverage === 0)) return NOTHING;
  const named = namedPassages([...question.all, ...analyse(best.text, language)], passages, language);
  const others = quotes.filter((quote) => quote.passage < QUOTED_PASSAGES || named.has(quote.passage));
  const chosen = pick(others, best, weights, named);
  const title = titleOf(passages[best.passage]);
  const support = chosen.filter(
    (quote) => quote === best || (named.has(quote.passage) && titleOf(passages[quote.passage]) !== title),
  );
  const around = new Set(support.flatMap(({ passage }) => analyse(wholeText(passages[passage]), language)));
  return {
    quotes: inOrder(chosen, best),
    best,
    coverage: sumOf([...new Set(support.flatMap((quote) => quote.covers))], weights),
    passageCoverage: shareIn(passages[best.passage], question.terms, language),
    missingNames: question.names.filter((term) => !around.has(term)).length,
  };
}

/** Per term its share of the question: the fewer of the passages hold it, the more. */
function weigh(question: Question, passages: readonly Passage[], language: string | null): Map<string, number> {
  const held = passages.map((passage) => new Set(analyse(wholeText(passage), language)));
  const weights = question.terms.map((term) => {
    const count = held.filter((terms) => terms.has(term)).length;
    return [term, 1 + Math.log((passages.length + 1) / (count + 1))] as const;
  });
  const total = weights.reduce((sum, [, weight]) => sum + weight, 0);
  return new Map(weights.map(([term, weight]) => [term, weight / total]));
}

const wholeText = (passage: Passage | undefined): string =>
  passage === undefined ? '' : [passage.documentName, ...passage.headings, passage.text].join('\n');

function shareIn(passage: Passage | undefined, terms: readonly string[], language: string | null): number {
  const held = new Set(analyse(passage?.text ?? '', language));
  return terms.filter((term) => held.has(term)).length / Math.max(1, terms.length);
}

const titleOf = (passage: Passage | undefined): string => passage?.headings.at(-1) ?? passage?.documentName ?? '';

function scorePassage(
  question: Question,
  passage: Passage,
  at: number,
  weights: ReadonlyMap<string, number>,
  language: string | null,
): Quote[] {
  const around = new Set(analyse(wholeText(passage), language));
  return quotables(passage.text).map((each) => {
    const own = new Set(analyse(each.header === null ? each.text : `${each.header} ${each.text}`, language));
    const covers = [...weights.keys()].filter((term) => own.has(term));
    const near = [...weights.keys()].filter((term) => !own.has(term) && around.has(term));
    const coverage = sumOf(covers, weights);
    const expected = holdsExpected(each.text, question.expects) ? EXPECTED : 0;
    const score =
      coverage + AROUND * sumOf(near, weights) + expected + RANK / (1 + at) - (isHeadingLike(each) ? HEADING : 0);
    return { ...each, passage: at, score, covers, coverage };
  });
}

const sumOf = (terms: readonly string[], weights: ReadonlyMap<string, number>): number =>
  terms.reduce((sum, term) => sum + (weights.get(term) ?? 0), 0);

/** A line without an end and of few words is a title or a label: it says where one is, not what is so. */
function isHeadingLike({ text, header }: Quotable): boolean {
  return header === null && !/[.!?:。！？।؟]["'”’)\]]*$/u.test(text) && text.split(/\s+/u).length < 6;
}

/** The passages whose title is spoken of: what they say of it may be the other half of the answer. */
function namedPassages(spoken: readonly string[], passages: readonly Passage[], language: string | null): Set<number> {
  const terms = new Set(spoken);
  const isNamed = ({ headings, documentName }: Passage): boolean =>
    [documentName, headings.at(-1) ?? ''].some((title) => {
      const own = analyse(title.replace(/\(.*\)|,.*/u, ''), language);
      return own.length > 0 && own.every((term) => terms.has(term));
    });
  return new Set(passages.flatMap((passage, at) => (isNamed(passage) ? [at] : [])));
}

/** The best one, then again and again the one that adds most, while there is room and it is worth it. */
function pick(
  quotes: readonly Quote[],
  best: Quote,
  weights: ReadonlyMap<string, number>,
  named: ReadonlySet<number>,
): Quote[] {
  const chosen = [best];
  let words = wordsIn(best);
  const isNamedElsewhere = ({ passage }: Quote): boolean => named.has(passage) && passage !== best.passage;
  // A table is answered by the row that fits best, not by those that fit less.
  let left = quotes
    .filter((quote) => quote.header === null || best.header === null || quote.score >= best.score)
    .filter((quote) => quote.covers.length > 0 || isNext(quote, best) || isNamedElsewhere(quote));
  while (chosen.length < MAX_QUOTES) {
    const covered = new Set(chosen.flatMap((quote) => quote.covers));
    left = left.filter(
      (quote) => words + wordsIn(quote) <= MAX_WORDS && !chosen.some(({ text }) => text === quote.text),
    );
    const isNew = (quote: Quote): boolean =>
      named.has(quote.passage) && !chosen.some(({ passage }) => passage === quote.passage);
    const adds = (quote: Quote): number =>
      (isNew(quote) ? NAMED : 0) +
      quote.score -
      COVERED *
        sumOf(
          quote.covers.filter((term) => covered.has(term)),
          weights,
        );
    const next = left.toSorted((a, b) => adds(b) - adds(a))[0];
    if (next === undefined || adds(next) < best.score * WORTH) break;
    chosen.push(next);
    words += wordsIn(next);
  }
  return chosen;
}

/** What follows the best sentence may go on with it without naming it again; what else names nothing is about other things. */
const isNext = (quote: Quote, best: Quote): boolean =>
  quote.passage === best.passage && quote.start >= best.end && quote.start - best.end <= LONGEST_GAP;

const wordsIn = (quote: Quote): number => quote.text.split(/\s+/u).length;

/** Best passage first; within a passage in the order of the text, but for a row that answers. */
function inOrder(chosen: readonly Quote[], best: Quote): Quote[] {
  const order = [...new Set(chosen.map((quote) => quote.passage))];
  const place = (quote: Quote): number => (quote === best && best.header !== null ? -1 : quote.start);
  return chosen.toSorted((a, b) => order.indexOf(a.passage) - order.indexOf(b.passage) || place(a) - place(b));
}
