/** Recognises names of companies by their legal form, and the end of a name before an address or a number. */
import { LABEL_PHRASES, alternatives } from '../lexicon/lexicon.ts';
import { wordsOf } from '../labels/phrase-book.ts';
import { countryIn, streetStart } from './addresses.ts';
import { lineEnd, nextLineStart, type Segment } from '../document/segments.ts';

/** Legal forms of countries without a registered language. */
const OTHER_LEGAL_FORMS = String.raw`d\.o\.o`;
const LEGAL_FORM = `(?:${alternatives(({ companies }) => companies?.legalForms)}|${OTHER_LEGAL_FORMS})`;
/** Spellings of short legal forms. In other cases they are ordinary words: `kg`, `as`, `se`. */
const SHORT_FORM = new RegExp(`^(?:${alternatives(({ companies }) => companies?.shortLegalForms)})$`);
/** Particles inside names, and names of places in brackets. */
const PARTICLES = String.raw`${alternatives(({ companies }) => companies?.particles)}|&|\(\p{Lu}[\p{L} ]{0,30}\)`;
/** Up to seven capitalised words with a legal form. `a Delaware corporation` is a description. */
const COMPANY = new RegExp(
  String.raw`(?<![\p{L}\p{N}])(?<!(?<!\p{L})[Aa]n?\s)(?:[\p{Lu}\p{N}][\p{L}\p{N}&'’.\-]*,?\s+(?:(?:${PARTICLES})\s+){0,2}){1,6}(?<form>${eitherCase(LEGAL_FORM)})(?![\p{L}\p{N}])\.?`,
  'gu',
);
/** Chinese and Japanese companies: the legal form precedes or follows the name without a space. */
const CJK_COMPANY =
  /(?:株式会社|有限会社|合同会社|合資会社)[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー・A-Za-z0-9&]{2,20}|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー・A-Za-z0-9&（）()]{2,24}(?:株式会社|有限会社|合同会社|有限責任公司|有限公司|有限责任公司)/gu;
/** Honorifics after the name of a recipient. */
const HONORIFIC = /\s*(?:御中|様|殿)$/u;

const PERSON_TITLE = new RegExp(String.raw`^(?:${alternatives(({ personTitles }) => personTitles)})\.?$`, 'iu');

/** Returns whether the text is a title alone, such as "Herrn", which is followed by a name. */
export const isPersonTitle = (text: string): boolean => PERSON_TITLE.test(text.trim());

/** A name with an honorific. */
const NAME_WITH_HONORIFIC = /^(?<name>[^\s].{1,30}?)\s*(?:御中|様)(?:\s|$)/u;

/** Returns the recipient named in a line of a Japanese letter. */
export const honorificName = (text: string): string | undefined => NAME_WITH_HONORIFIC.exec(text)?.groups?.['name'];

/** A line that consists of the title of a document, as "Welcome to" does. */
export const TITLE_LINE = new RegExp(
  String.raw`^(?:${alternatives(({ documentTitles }) => documentTitles)})(?:\s+\p{Ll}{2,3})?\s*[:!]?$`,
  'iu',
);

interface NamePlace {
  start: number;
  end: number;
}

/** Returns all companies that a text names, in order. */
export function companiesIn(text: string): NamePlace[] {
  const western = [...text.matchAll(COMPANY)].flatMap((match): NamePlace[] => {
    const name = match[0].trim();
    const form = match.groups?.['form'] ?? '';
    if (name.split(/\s+/).length < 2 || (/^\p{L}{2,3}$/u.test(form) && !SHORT_FORM.test(form))) return [];
    return [{ start: match.index, end: match.index + name.length }];
  });
  const eastern = [...text.matchAll(CJK_COMPANY)].map((match) => ({
    start: match.index,
    end: match.index + match[0].replace(HONORIFIC, '').length,
  }));
  return [...western, ...eastern].toSorted((a, b) => a.start - b.start);
}

/**
 * Returns the companies that a segment names, each to its end. A name ends with the line of an address, unless the next
 * line names no company of its own: `Holm Gartenbau` above `GmbH`.
 */
export function companiesOf(segment: Segment): NamePlace[] {
  const { text, lineEnds } = segment;
  return companiesIn(text).map(({ start: first, end: last }) => {
    const before = lineEnds.findLast(
      (end) => end > first && end < last && companiesIn(text.slice(end, last)).length > 0,
    );
    const start = before === undefined ? first : nextLineStart(segment, before);
    return { start, end: companyEnd(text.slice(0, lineEnd(segment, last - 1)), last) };
  });
}

/** A word with a capital at the end of a line, which is a part of the name before it, such as the place of a branch. */
const LAST_WORD = /^[\s.]+(?<word>\p{Lu}\p{Ll}[\p{L}'’-]+)\s*$/u;

/**
 * Returns the end of the company at the start of a line: with the last word of the line in `Holm AG Nord`, but not in
 * `Holm Ltd Invoice` or `Holm AG Germany`.
 */
export function companyEnd(line: string, end: number): number {
  const word = LAST_WORD.exec(line.slice(end))?.groups?.['word'];
  const isPart = word !== undefined && !TITLE_LINE.test(word) && !LABEL_WORDS.has(wordsOf(word).join(' '));
  return isPart && countryIn(word) === null ? line.trimEnd().length : end;
}

const LABEL_WORDS: ReadonlySet<string> = new Set(LABEL_PHRASES.map(({ phrase }) => phrase));

/**
 * Returns the end of a name: after its legal form, else before a number, a bracket with one, a street, or a dash
 * between spaces.
 */
export function nameEnd(text: string): number {
  const company = companiesIn(text).find(({ start }) => start === 0);
  if (company !== undefined) return companyEnd(text, company.end);
  const stop = /\s+[([]?\p{L}{0,3}[-.]?\p{N}|\s+[-–|·]\s+|[,;]\s|\s\((?=[^)]*\p{N})|\n|\s*(?:御中|様)/u.exec(text);
  const end = stop === null ? text.length : stop.index;
  const street = streetStart(text.slice(0, end));
  return street === null || street === 0 ? end : text.slice(0, street).trimEnd().length;
}

/** Matches every letter of a legal form in both cases. */
function eitherCase(pattern: string): string {
  return pattern.replaceAll(/(?<!\\)[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`);
}
