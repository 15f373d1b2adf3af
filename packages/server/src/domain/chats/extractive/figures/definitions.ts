/** Reads the formula that a question gives for a figure: "defined as: FY2019 revenue / (average PP&E between …)". */
import { isLabelOf, ITEM_NAMES, type Item } from './items.ts';

const DEFINED = /\b(?:is |are )?(?:defined|calculated|computed) as:?\s*(?<formula>[^?]{5,400}?)(?:\.\s|\.?$|\?)/iu;
/** A bracket or a sign; a minus has spaces around it, as hyphens are parts of words. */
const TOKEN = /[()+*/×÷]|\s[-−–]\s/u;
const SIGNS: Readonly<Record<string, string>> = { '*': '×', '/': '÷', '-': '−', '–': '−' };
const YEAR = /\b(?:FY\s?)?(?:19|20)\p{Nd}{2}\b|\bFY\s?\p{Nd}{2}\b/gu;

/** Returns whether the question gives a formula of its own. */
export const isDefined = (question: string): boolean => DEFINED.test(question);

/** Returns the formula over items that the question gives; null if a part of it is no item, number or sign. */
export function definitionIn(question: string): string | null {
  const given = DEFINED.exec(question)?.groups?.['formula'];
  if (given === undefined) return null;
  const signs = given
    .replaceAll(/\b(?:divided by|over)\b/giu, '/')
    .replaceAll(/\b(?:multiplied by|times)\b/giu, '*')
    .replaceAll(/\bminus\b/giu, ' - ')
    .replaceAll(/\bplus\b/giu, '+');
  const parts = signs.split(new RegExp(`(${TOKEN.source})`, 'u')).filter((part) => part.trim() !== '');
  const read = parts.map((part) => {
    const sign = part.trim();
    if (TOKEN.test(part) && sign.length === 1) return '()'.includes(sign) ? sign : ` ${SIGNS[sign] ?? sign} `;
    return /^\p{Nd}{1,4}$/u.test(sign) ? sign : valueOf(sign);
  });
  return read.every((part) => part !== null) ? read.join('').trim() : null;
}

/** Returns an item, its average, or its change in the year; null for other words. */
function valueOf(words: string): string | null {
  const between = /\bbetween\b.*$/iu.test(words);
  const plain = words
    .replace(/\bbetween\b.*$/iu, '')
    .replaceAll(YEAR, ' ')
    .replaceAll(/\b(?:the|fiscal(?: years?)?|FY)\b/giu, ' ')
    .replaceAll(/\s+/gu, ' ')
    .trim();
  const kind = /^(?:(?<average>average)|(?<change>change in))(?: of)?\s/iu.exec(plain);
  const name = kind === null ? plain : plain.slice(kind[0].length);
  const item = itemCalled(name.trim());
  if (item === null || (kind === null && between)) return null;
  if (kind?.groups?.['average'] !== undefined) return `(({${item}<} + {${item}}) ÷ 2)`;
  return kind === null ? `{${item}}` : `({${item}} − {${item}<})`;
}

const itemCalled = (name: string): Item | null => ITEM_NAMES.find((item) => isLabelOf(name, item)) ?? null;
