/** Recognises names of companies by their legal form, and the end of a name before an address or a number. */
import { streetStart } from './addresses.ts';

const LEGAL_FORM = String.raw`(?:ltd|limited|llc|l\.l\.c|inc|incorporated|corp|corporation|plc|llp|lp|gmbh(?:\s*&\s*co\.?\s*kg)?|g\.m\.b\.h|ag|kg|ohg|ug|gbr|eg|e\.k|e\.v|se|s\.a\.s|s\.a\.r\.l|sarl|sas|eurl|s\.a|sa|b\.v|bv|n\.v|nv|s\.p\.a|spa|s\.r\.l|srl|s\.n\.c|s\.l\.u|slu|s\.l|ltda|lda|ab|asa|a\/s|aps|oy|oyj|sp\.?\s*z\s*o\.?\s*o|s\.r\.o|a\.s|d\.o\.o|kft|zrt|pty(?:\.?\s*ltd)?|pvt(?:\.?\s*ltd)?|pte(?:\.?\s*ltd)?|sdn\.?\s*bhd|s\/b|bhd|kk|co)`;
/** Spellings of short legal forms. In other cases they are ordinary words: `kg`, `as`, `se`. */
const SHORT_FORM =
  /^(?:AG|KG|UG|SE|SA|BV|NV|SL|AB|AS|KK|LP|eG|Co|CO|Oy|OY|GbR|SAS|SpA|SPA|OHG|SRL|Srl|SLU|Slu|Lda|LDA|Kft|KFT|Zrt|ZRT|ApS|APS|Pty|PTY|Pte|PTE|inc|Inc|INC|ltd|Ltd|LTD|llc|Llc|LLC|plc|Plc|PLC|LLP|Llp)$/;
/** Particles inside names. */
const SMALL = String.raw`of|and|the|de|du|des|del|della|delle|dei|di|da|do|dos|das|la|le|les|el|los|et|und|y|e|i|van|von|der|den|het|og|och|&|\([A-Z]{1,3}\)`;
/** Up to seven capitalised words with a legal form. */
const COMPANY = new RegExp(
  String.raw`(?<![\p{L}\p{N}])(?:[\p{Lu}\p{N}][\p{L}\p{N}&'’.\-]*,?\s+(?:(?:${SMALL})\s+){0,2}){1,6}(?<form>${eitherCase(LEGAL_FORM)})(?![\p{L}\p{N}])\.?`,
  'gu',
);
/** Chinese and Japanese companies: the legal form stands before or after the name, without a space. */
const CJK_COMPANY =
  /(?:株式会社|有限会社|合同会社|合資会社)[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー・A-Za-z0-9&]{2,20}|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー・A-Za-z0-9&（）()]{2,24}(?:株式会社|有限会社|合同会社|有限責任公司|有限公司|有限责任公司)/gu;
/** Honorifics after the name of a recipient. */
const HONORIFIC = /\s*(?:御中|様|殿)$/u;

/** A name with an honorific. */
const NAME_WITH_HONORIFIC = /^(?<name>[^\s].{1,30}?)\s*(?:御中|様)(?:\s|$)/u;

/** Returns the recipient named in a line of a Japanese letter. */
export const honorificName = (text: string): string | undefined => NAME_WITH_HONORIFIC.exec(text)?.groups?.['name'];

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
 * Returns the end of a name: after its legal form, else before a number, a bracket with one, a street, or a dash
 * between spaces.
 */
export function nameEnd(text: string): number {
  const company = companiesIn(text).find(({ start }) => start === 0);
  if (company !== undefined) return company.end;
  const stop = /\s+[([]?\p{L}{0,3}[-.]?\p{N}|\s+[-–|·]\s+|[,;]\s|\s\((?=[^)]*\p{N})|\n|\s*(?:御中|様)/u.exec(text);
  const end = stop === null ? text.length : stop.index;
  const street = streetStart(text.slice(0, end));
  return street === null || street === 0 ? end : text.slice(0, street).trimEnd().length;
}

/** Matches every letter of a legal form in both cases. */
function eitherCase(pattern: string): string {
  return pattern.replaceAll(/(?<!\\)[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`);
}
