/**
 * Recognises forms of questions, beyond the kind of value that they expect, and sentences that are built like their
 * answers: definitions ("An abacus is …"), expansions of abbreviations, reasons ("because") and manners ("by …ing").
 */
import { analyse, analyseSpans, type TermSpan } from '@quire/text/language/analyse';
import type { Value } from './values.ts';

/** `subject` holds the terms of the thing to define. */
export type QuestionForm =
  | { kind: 'definition' | 'membership'; subject: readonly string[] }
  | { kind: 'abbreviation'; letters: string }
  | { kind: 'reason' }
  | { kind: 'manner' };

interface Grammar {
  /** Each has a group `subject`. */
  definition: readonly RegExp[];
  /** Questions whether a thing is one of a kind; has a group `subject`. */
  membership: RegExp;
  /** Questions for the words behind letters; each has a group `subject`. */
  abbreviation: readonly RegExp[];
  reason: RegExp;
  manner: RegExp;
  /** Verbs between the thing and its definition, and what follows them in one. */
  copula: string;
  /** Words before a noun that is no subject. */
  prepositions: RegExp;
  /** Words between a definition and the name of the thing. */
  naming: RegExp;
  reasonMarks: RegExp;
  mannerMarks: RegExp;
  /** Start of a sentence of which the one before gives the reason. */
  consequence: RegExp;
}

const whole = (words: string): RegExp => new RegExp(String.raw`(?<![\p{L}\p{Nd}])(?:${words})(?![\p{L}\p{Nd}])`, 'iu');

const initially = (words: string): RegExp =>
  new RegExp(String.raw`^[\s"'“„«(]{0,3}(?:${words})(?![\p{L}\p{Nd}])`, 'iu');

const GRAMMARS: Readonly<Record<string, Grammar>> = {
  en: {
    definition: [
      /^\s*(?:what|who)(?:['’]s| is| are| was| were) (?:an? |the )?(?<subject>[^?,;:]{1,80})/iu,
      /^\s*what does (?:an? |the )?(?<subject>[^?,;:]{1,80}?) mean\b/iu,
      /^\s*define (?:an? |the )?(?<subject>[^?,;:]{1,80})/iu,
    ],
    membership: /^\s*(?:is|are|was|were) (?:the )?(?<subject>[^?,;:]{1,60}?) (?:an?|one of)\s/iu,
    abbreviation: [
      /\bwhat (?:does|do|did) (?:the )?(?:abbreviations?|acronyms?|letters|initials)?\s*(?<subject>\S+)(?: \S+){0,3} (?:stand for|mean)\b/iu,
      /\bwhat (?:is|are) (?:the )?(?<subject>\S+) (?:short|an? (?:abbreviation|acronym)) (?:for|of)\b/iu,
      /\b(?:full (?:name|form)|meaning) of (?:the )?(?:abbreviation |acronym )?(?<subject>\S+)/iu,
    ],
    reason: /\bwhy\b|\bfor what reason\b|\bwhat (?:caused?|causes|made|makes|led)\b|\breasons? (?:for|of)\b/iu,
    manner:
      /\bhow (?:do|does|did|can|could|is|are|was|were|to|should|would|will|may|has|have)\b|\bin what way\b|\bby what means\b/iu,
    copula:
      '(?:is|was) (?:an?|any|one of|another|the)(?!\\p{L})(?! same(?!\\p{L}))|(?:are|were) (?!not |often |also |\\p{L}+(?:ed|ing|ly)(?!\\p{L}))|means?(?!\\p{L})|refers? to|denotes?(?!\\p{L})|stands? for',
    prepositions: /(?<!\p{L})(?:of|to|in|for|with|by|on|at|from|about|than)\s+(?:an?\s|the\s|this\s)?["'“(]?$/iu,
    naming: /\b(?:called|known as|termed|named|referred to as)\s+(?:an?\s|the\s)?["'“‘(]{0,2}$/iu,
    reasonMarks: whole(
      'because|due to|owing to|in order to|so that|reasons?|as a result|caused|causes|led to|leading to|thanks to|in retaliation|for fear|so as to|on account of|since(?! \\p{Nd})',
    ),
    mannerMarks: whole(
      'by (?:\\p{L}+ ){0,2}?\\p{L}+ing|using|uses?|used|through|via|by means of|with (?:the help|the aid)',
    ),
    consequence: initially(
      'therefore|thus|hence|consequently|accordingly|as a (?:result|consequence)|for (?:this|that|these) reasons?|because of (?:this|that)|(?:this|that|which) is why|so',
    ),
  },
  de: {
    definition: [
      /^\s*(?:was|wer) (?:ist|sind|war|waren) (?:eine? |der |die |das )?(?<subject>[^?,;:]{1,80})/iu,
      /^\s*was (?:bedeutet|bedeuten|heißt) (?:eine? |der |die |das )?(?<subject>[^?,;:]{1,80})/iu,
      /^\s*was versteht man unter (?:einem |einer |dem |der |den )?(?<subject>[^?,;:]{1,80})/iu,
    ],
    membership: /^\s*(?:ist|sind|war|waren) (?:der |die |das )?(?<subject>[^?,;:]{1,60}?) (?:eine?|eine[rs])\s/iu,
    abbreviation: [
      /\bwofür (?:steht|stehen) (?:die )?(?:abkürzung )?(?<subject>[^\s?]+)/iu,
      /\bwas (?:bedeutet|heißt) (?:die )?(?:abkürzung )?(?<subject>[^\s?]+)/iu,
    ],
    reason: /\b(?:warum|wieso|weshalb)\b|\baus welchem grund\b/iu,
    manner: /\bwie (?:kann|können|wird|werden|funktioniert|macht)\b|\bauf welche weise\b/iu,
    copula:
      '(?:ist|war) (?:eine?|der|die|das|jede[rs]?)(?!\\p{L})|sind (?!nicht )|waren (?!nicht )|bezeichnet|bezeichnen|bedeutet|heißt|steht für',
    prepositions:
      /(?<!\p{L})(?:von|zu|zum|zur|in|im|für|mit|bei|auf|an|am|aus|über|als|eines|einer|des)\s+(?:eine[mnrs]?\s|de[mnrs]\s|die\s|das\s)?["'„(]?$/iu,
    naming: /\b(?:genannt|bezeichnet als|bekannt als|heißt|heißen)\s+(?:eine?\s|der\s|die\s|das\s)?["'„‚»(]{0,2}$/iu,
    // "Da" gives a reason at the start of a sentence or behind a comma only.
    reasonMarks: whole(
      'weil|damit|wegen|aufgrund|deshalb|daher|deswegen|darum|um|gr(?:und|ünden?)|denn|führte zu|infolge|sodass|zurückzuführen|liegt (?:an|daran)|(?<=^|[,;:–] )da',
    ),
    mannerMarks: whole('durch|indem|mittels|mithilfe|mit hilfe'),
    consequence: initially(
      'daher|deshalb|deswegen|darum|somit|folglich|infolgedessen|demzufolge|also|aus diese[mn] gr(?:und|ünden)',
    ),
  },
  fr: {
    definition: [
      /^\s*qu['’]est-ce (?:que c['’]est )?(?:que? |qu['’])(?:l['’]|le |la |les |une? |des )?(?<subject>[^?,;:]{1,80})/iu,
      /^\s*(?:qui|que|quel|quelle) (?:est|sont|était|étaient|signifie) (?:l['’]|le |la |les |une? |des )?(?<subject>[^?,;:]{1,80})/iu,
    ],
    membership: /^\s*est-ce que (?:l['’]|le |la )?(?<subject>[^?,;:]{1,60}?) (?:est|était) une?\s/iu,
    abbreviation: [/\bque (?:signifie|veut dire) (?:le sigle |l['’]abréviation |l['’]acronyme )?(?<subject>[^\s?]+)/iu],
    reason: /\bpourquoi\b|\bpour quelle raison\b/iu,
    manner: /\bcomment\b|\bde quelle (?:manière|façon)\b/iu,
    copula: "(?:est|était) (?:une? |l[ea] |l[’']|tout )|sont (?:des|les) |désigne|désignent|signifie",
    prepositions:
      /(?<!\p{L})(?:de|du|des|à|au|aux|en|dans|pour|avec|par|sur|d['’])\s*(?:l['’]|la\s|le\s|les\s|une?\s)?["'«(]?\s?$/iu,
    naming:
      /(?:appelée?s?|nommée?s?|connue?s? sous le nom d[e’'])\s*(?:l['’]|le\s|la\s|les\s|une?\s)?["'«(]{0,2}\s?$/iu,
    reasonMarks: whole(
      "parce qu[e’']?|car|afin d[e’']?|pour|en raison|à cause|grâce|raisons?|puisque|due?s? (?:à|aux?)",
    ),
    mannerMarks: whole("en \\p{L}+ant|au moyen|grâce|à l[’']aide|par"),
    consequence: initially(
      "c['’]est pourquoi|par conséquent|en conséquence|donc|ainsi|aussi|de ce fait|pour (?:cette|ces) raisons?",
    ),
  },
  es: {
    definition: [
      /^[\s¿]*(?:qué|quién|quiénes|cuál) (?:es|son|era|eran|fue|fueron|significa) (?:el |la |los |las |una? )?(?<subject>[^?,;:]{1,80})/iu,
    ],
    membership: /^[\s¿]*(?:es|era|son|fue) (?:el |la |los |las )?(?<subject>[^?,;:]{1,60}?) una?\s/iu,
    abbreviation: [/qué significan? (?:la sigla |las siglas |la abreviatura )?(?<subject>[^\s?]+)/iu],
    reason: /por qué|\bpor cuál motivo\b/iu,
    manner: /cómo|\bde qué (?:manera|modo|forma)\b/iu,
    copula: '(?:es|era|fue) (?:una?|el|la|los|las) |son (?!no )|eran (?!no )|significa|designa|se refiere a',
    prepositions: /(?<!\p{L})(?:de|del|a|al|en|para|con|por|sobre)\s+(?:la\s|el\s|los\s|las\s|una?\s)?["'«(]?$/iu,
    naming: /\b(?:llamad[oa]s?|denominad[oa]s?|conocid[oa]s? como)\s+(?:el\s|la\s|los\s|las\s|una?\s)?["'«(]{0,2}$/iu,
    reasonMarks: whole('porque|debido a|para|a fin de|por culpa|a causa|gracias a|raz[óo]n(?:es)?|ya que|puesto que'),
    mannerMarks: whole('mediante|a través|por medio|con ayuda|\\p{L}+[ai]e?ndo'),
    consequence: initially(
      'por (?:eso|ello|esto|lo tanto|tanto|consiguiente)|por est[ae]s? (?:raz[óo]n(?:es)?|motivos?)|as[íi] que|en consecuencia',
    ),
  },
};

/** Letters of which most are capitals: an abbreviation. */
const LETTERS = /^(?=(?:.*\p{Lu}){2})[\p{Lu}\p{Nd}.&-]{2,10}$/u;
/** Text between a thing and the verb of its definition: punctuation, one bracket, one apposition. */
const BETWEEN = String.raw`^[\s,"'’”)\]]{0,4}(?:\s*\([^()]{0,120}\))?(?:\s?,[^,.;:]{1,80},)?\s+(?:also\s|then\s)?`;
/** Maximum number of terms between two words of the thing ("atomic number of a chemical element"). */
const MAX_GAP = 1;
const MAX_QUESTION = 500;
const MAX_SENTENCE = 2_000;

/** Returns null for other forms, and for languages without a grammar. */
export function formOf(question: string, language: string | null): QuestionForm | null {
  const grammar = GRAMMARS[language ?? 'en'];
  if (grammar === undefined) return null;
  const text = question.slice(0, MAX_QUESTION);
  const letters = subjectOf(grammar.abbreviation, text)?.replace(/[?"'“”„]+/gu, '');
  if (letters !== undefined && LETTERS.test(letters)) return { kind: 'abbreviation', letters };
  if (grammar.reason.test(text)) return { kind: 'reason' };
  for (const kind of ['membership', 'definition'] as const) {
    const subject = analyse(subjectOf([grammar[kind]].flat(), text) ?? '', language);
    if (subject.length > 0) return { kind, subject };
  }
  return grammar.manner.test(text) ? { kind: 'manner' } : null;
}

const subjectOf = (patterns: readonly RegExp[], text: string): string | undefined =>
  patterns.map((pattern) => pattern.exec(text)?.groups?.['subject']).find((subject) => subject !== undefined);

/** Returns whether the sentence is built like an answer to the form. */
export function answersForm(sentence: string, form: QuestionForm, language: string | null): boolean {
  const grammar = GRAMMARS[language ?? 'en'];
  if (grammar === undefined) return false;
  const text = sentence.slice(0, MAX_SENTENCE);
  if (form.kind === 'abbreviation') return expansionOf(text, form.letters) !== null;
  if (form.kind === 'reason') return grammar.reasonMarks.test(text);
  if (form.kind === 'manner') return grammar.mannerMarks.test(text);
  return defines(text, form.subject, grammar, language);
}

/** Returns whether the sentence says what follows from the one before it ("Therefore …"). */
export const isConsequence = (sentence: string, language: string | null): boolean =>
  GRAMMARS[language ?? 'en']?.consequence.test(sentence) === true;

function defines(text: string, subject: readonly string[], grammar: Grammar, language: string | null): boolean {
  const after = new RegExp(`${BETWEEN}(?:${grammar.copula})`, 'iu');
  return runsOf(analyseSpans(text, language), subject).some(({ start, end }) => {
    const before = text.slice(0, start);
    return grammar.naming.test(before) || (after.test(text.slice(end)) && !grammar.prepositions.test(before));
  });
}

/** Returns the places of the terms in their order, with few other terms between them. */
function runsOf(spans: readonly TermSpan[], terms: readonly string[]): { start: number; end: number }[] {
  return spans.flatMap((first, from) => {
    if (first.term !== terms[0]) return [];
    let at = from;
    for (const term of terms.slice(1)) {
      const next = spans.findIndex((span, index) => index > at && index <= at + 1 + MAX_GAP && span.term === term);
      if (next === -1) return [];
      at = next;
    }
    return [{ start: first.start, end: spans[at]?.end ?? first.end }];
  });
}

const WORD = /[\p{L}\p{Nd}]+/gu;
/** Words of an expansion that may have no letter of their own: "of", "and", "für". */
const MAX_SKIPPED = 3;

/**
 * Returns the words whose initials are the letters, with their place: all capitalised ("American Standard Code for
 * Information Interchange"), or next to the letters in brackets ("FM (frequency modulation)").
 */
export function expansionOf(sentence: string, abbreviation: string): Value | null {
  const letters = abbreviation.toLowerCase().replaceAll(/[^\p{L}\p{Nd}]/gu, '');
  const words = Array.from(sentence.matchAll(WORD), ({ 0: text, index }) => ({
    text,
    start: index,
    end: index + text.length,
  }));
  const isLetters = ({ text }: { text: string }): boolean => text.toLowerCase() === letters;
  for (const from of words.keys()) {
    const matched = initialsFrom(words, from, letters);
    const [first, last] = [matched?.[0], matched?.at(-1)];
    if (matched === null || first === undefined || last === undefined) continue;
    const capitalised = matched.every(({ text }) => /^[\p{Lu}\p{Nd}]/u.test(text));
    const [before, behind] = [words[from - 1], words.find(({ start }) => start > last.end)];
    const bracketed =
      (before !== undefined && isLetters(before) && /^\s?\($/u.test(sentence.slice(before.end, first.start))) ||
      (behind !== undefined && isLetters(behind) && /^\s?\(\s?["“']?$/u.test(sentence.slice(last.end, behind.start)));
    if (capitalised || bracketed) {
      return { start: first.start, end: last.end, text: sentence.slice(first.start, last.end) };
    }
  }
  return inBrackets(sentence, words, letters);
}

/** Returns the capitalised words before the letters in brackets, if these are their initials in any order. */
function inBrackets(sentence: string, words: readonly Word[], letters: string): Value | null {
  const at = words.findIndex(({ text, start }) => text.toLowerCase() === letters && sentence.charAt(start - 1) === '(');
  const before = words.slice(Math.max(0, at - letters.length), Math.max(0, at));
  const [first, last] = [before[0], before.at(-1)];
  const isName = before.length === letters.length && before.every(({ text }) => /^\p{Lu}/u.test(text));
  if (first === undefined || last === undefined || !isName) return null;
  const initials = before.map(({ text }) => text.charAt(0).toLowerCase()).toSorted();
  if (initials.join('') !== letters.split('').toSorted().join('')) return null;
  return { start: first.start, end: last.end, text: sentence.slice(first.start, last.end) };
}

interface Word {
  text: string;
  start: number;
  end: number;
}

/** Returns the words from one on whose initials are the letters, one each; null if there are none. */
function initialsFrom(words: readonly Word[], from: number, letters: string): Word[] | null {
  const matched: Word[] = [];
  let at = from;
  for (const letter of letters) {
    let word = words[at];
    while (matched.length > 0 && word !== undefined && word.text.length <= MAX_SKIPPED && !starts(word, letter)) {
      at += 1;
      word = words[at];
    }
    if (word === undefined || !starts(word, letter) || word.text.toLowerCase() === letters) return null;
    matched.push(word);
    at += 1;
  }
  return letters.length < 2 ? null : matched;
}

const starts = ({ text }: Word, letter: string): boolean => text.toLowerCase().startsWith(letter);
