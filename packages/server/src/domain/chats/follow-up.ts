/**
 * Decides by rule whether a question refers to the one before it ("and in 2019?"), and writes the query for it. A
 * question that is complete is never joined with an earlier one; an unclear one has both readings.
 */
import { detectLanguage } from '@quire/text/language/detect';
import { tokenise } from '@quire/text/language/tokenise';
import { contentTerms, readQuestion } from './extractive/question.ts';

interface Cues {
  /** Words that continue an earlier question at the beginning of a fragment. */
  opening: RegExp;
  /** Pronouns that may refer to an earlier question. */
  pronoun: RegExp;
  /** Question words and verbs of a complete question. */
  asking: RegExp;
}

const word = (words: string): RegExp => new RegExp(String.raw`(?<![\p{L}’'-])(?:${words})(?![\p{L}-])`, 'iu');
const opening = (words: string): RegExp => new RegExp(String.raw`^\s*(?:[¿,]\s*)?(?:${words})(?![\p{L}-])`, 'iu');
/** Chinese and Japanese write no spaces between words. */
const inside = (words: string): RegExp => new RegExp(words, 'u');
const start = (words: string): RegExp => new RegExp(String.raw`^\s*(?:${words})`, 'u');

const CUES: Readonly<Record<string, Cues>> = {
  en: {
    opening: opening('and|but|so|also|then|what about|how about|in|for|of|by|since|with|without|on|at|after|before'),
    pronoun: word(
      String.raw`it|its|they|them|their|he|she|him|her|his|hers|this|these|those|the same|that(?=\s*[?.!]*$)`,
    ),
    asking: word(
      'who|whom|whose|what|which|when|where|why|how|is|are|was|were|do|does|did|has|have|had|can|could|will|would|may|must|should|tell|explain|describe|list|show',
    ),
  },
  de: {
    opening: opening('und|aber|oder|auch|dann|was ist mit|wie ist es mit|in|im|für|von|seit|mit|ohne|ab|nach|vor|bei'),
    pronoun: word(
      'er|sie|es|ihn|ihm|ihr|ihre|ihrer|sein|seine|seiner|dies|diese|dieser|dieses|das(?=\\s*[?.!]*$)|davon|dafür|darin|damit|dabei',
    ),
    asking: word(
      'wer|wen|wem|wessen|was|welche[rsnm]?|wann|wo|wohin|woher|warum|wieso|weshalb|wie|ist|sind|war|waren|hat|haben|kann|können|wird|werden|darf|dürfen|muss|müssen|soll|gibt',
    ),
  },
  fr: {
    opening: opening('et|mais|ou|aussi|alors|qu’en est-il|en|pour|de|depuis|avec|sans|dans|à|après|avant'),
    pronoun: word('il|elle|ils|elles|lui|leur|leurs|celui-ci|celle-ci|ceci|cela|ça|son|sa|ses|y|en(?=\\s*[?.!]*$)'),
    asking: word(
      'qui|que|quoi|quel|quelle|quels|quelles|quand|où|pourquoi|comment|combien|est|sont|était|a|ont|peut|peuvent|doit|doivent|est-ce|y a-t-il',
    ),
  },
  es: {
    opening: opening('y|e|pero|o|también|entonces|qué hay de|en|para|de|desde|con|sin|a|después|antes'),
    pronoun: word('él|ella|ello|ellos|ellas|lo|le|les|su|sus|este|esta|esto|estos|estas|eso|esa|ese|suyo'),
    asking: word(
      'quién|quiénes|qué|cuál|cuáles|cuándo|dónde|por qué|cómo|cuánto|cuánta|cuántos|cuántas|es|son|era|fue|tiene|tienen|puede|pueden|debe|deben|hay|está|están',
    ),
  },
  zh: {
    opening: start('那么?|那|还有|另外|而|如果是|换成'),
    pronoun: inside('它|他|她|它们|他们|她们|这个|那个|这些|那些|该|此'),
    asking: inside('谁|什么|哪|何|几|多少|多[久大高长远重]|怎么|怎样|如何|为什么|是否|吗|能否'),
  },
  ja: {
    opening: start('では|じゃあ|それで|そして|また|でも'),
    pronoun: inside('それ|これ|あれ|その|この|彼'),
    asking: inside('誰|だれ|何|いつ|どこ|どの|どれ|なぜ|どう|いくら|いくつ|か[？?。]?$'),
  },
};

/** Returns whether a text has a pronoun that may refer to what was said before it. */
export const hasPronoun = (text: string, language: string | null): boolean =>
  CUES[language ?? 'en']?.pronoun.test(text) === true;

/** A question that only names another year: "and in 2019?", "what about 2019?". */
const ANOTHER_YEAR =
  /^(?:(?:and|but|so|then|what about|how about|und|et|y|,)\s*)*(?:(?:in|for|of|by|since|im jahr|en|für|pour|para)\s+)?(\d{4})(?:\s*\?)?$/iu;
const YEAR = /(?<!\d)\d{4}(?!\d)/gu;
/** Particles, measure words and verbs beside a question word in Chinese and Japanese. */
const PARTICLES = /[的了是在有和一个些呢吗吧么种们]/gu;
/** Number of content terms up to which a question with a pronoun is surely incomplete. */
const FEW_TERMS = 2;
const FEW_WORDS = 3;
/** Capitalised words after the first: the names of a question. */
const NAMES = /(?<=\S\s+(?:["“(]\s*)?)\p{Lu}[\p{L}\p{Nd}'’-]+(?:\s\p{Lu}[\p{L}\p{Nd}'’-]+)*/gu;
const SUBJECT_PRONOUN = /(?<![\p{L}’'-])(?:it|he|she|they|him|them)(?![\p{L}’'-])/iu;

/**
 * Returns the possible queries of a question: one, or two if it is unclear whether the question refers back, the
 * question itself first. `previous` is the query of the question before, with its references resolved.
 */
export async function readingsOf(question: string, previous: string | undefined): Promise<string[]> {
  if (previous === undefined) return [question];
  const [, year] = ANOTHER_YEAR.exec(question.trim()) ?? [];
  if (year !== undefined && new Set(previous.match(YEAR)).size === 1) return [previous.replaceAll(YEAR, year)];
  const [detected, before] = await Promise.all([detectLanguage(question), detectLanguage(previous)]);
  const language = detected ?? before ?? 'en';
  const relation = relationOf(
    question,
    previous,
    language,
    detected !== null && before !== null && detected !== before,
  );
  if (relation === 'complete') return [question];
  const joined = joinedTo(previous, question, language);
  return relation === 'dependent' ? [joined] : [question, joined];
}

function relationOf(
  question: string,
  previous: string,
  language: string,
  isOtherLanguage: boolean,
): 'complete' | 'dependent' | 'unclear' {
  const cues = CUES[language];
  if (cues === undefined) return 'complete';
  const terms = readQuestion(question, language).terms.length;
  const words = tokenise(question).length;
  const asks = cues.asking.test(question);
  const pronoun = cues.pronoun.test(question);
  if (!pronoun && asks && hasOwnTerms(question, language)) return 'complete';
  if (isOtherLanguage && words > FEW_WORDS) return 'complete';
  if (cues.opening.test(question) && !asks) return 'dependent';
  if (pronoun) {
    const isOtherSubject = hasOtherNames(question, previous, language);
    if (isOtherSubject) return 'complete';
    return terms <= FEW_TERMS ? 'dependent' : 'unclear';
  }
  if (asks) return 'dependent';
  return words <= FEW_WORDS ? 'unclear' : 'complete';
}

/**
 * Returns whether the question has a content word besides question words: "Who delivers?" has one and can be answered
 * by itself, "Which ones?" has none.
 */
function hasOwnTerms(question: string, language: string): boolean {
  const asking = CUES[language]?.asking;
  if (asking === undefined) return false;
  if (language === 'zh' || language === 'ja') {
    const left = question.replace(asking, '').replaceAll(PARTICLES, '');
    return /[\p{Script=Han}\p{Script=Katakana}]/u.test(left);
  }
  const bare = tokenise(question).filter(({ text }) => !asking.test(text));
  return contentTerms(bare.map(({ text }) => text).join(' '), language).length > 0;
}

/** Returns whether both have names, and none in common. German capitals are no names. */
function hasOtherNames(question: string, previous: string, language: string): boolean {
  if (language === 'de') return false;
  const [own, earlier] = [namesIn(question), namesIn(previous)];
  return own.length > 0 && earlier.length > 0 && !own.some((name) => earlier.includes(name));
}

const namesIn = (text: string): string[] => Array.from(text.matchAll(NAMES), ([name]) => name.toLowerCase());

/** Puts the only name of the previous query in place of an English pronoun; otherwise writes both after each other. */
function joinedTo(previous: string, question: string, language: string): string {
  const names = [...new Set(Array.from(previous.matchAll(NAMES), ([name]) => name))];
  const [name] = names;
  if (language === 'en' && names.length === 1 && name !== undefined && SUBJECT_PRONOUN.test(question)) {
    return question.replace(SUBJECT_PRONOUN, name);
  }
  return `${previous} ${question}`;
}
