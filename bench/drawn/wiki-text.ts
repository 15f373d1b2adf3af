/** Reads articles from an XML export of Wikipedia, and returns their prose by paragraph. */
import { readFileSync } from 'node:fs';
import type { Source } from './question-sets.ts';

interface Limits {
  /** Minimum number of characters of a paragraph. */
  characters: number;
  /** Minimum number of paragraphs of an article. */
  paragraphs: number;
  /** Number of paragraphs to read; all if it is absent. */
  first?: number;
}

const LIMITS: Limits = { characters: 350, paragraphs: 4, first: 14 };
const MAX_LENGTH = 1_300;

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', amp: '&', nbsp: ' ' };
const unescaped = (text: string): string =>
  text.replaceAll(/&(lt|gt|quot|amp|nbsp);/g, (_, name: string) => ENTITIES[name] ?? '');

/** Applies a replacement until it changes nothing, for nested markup. */
function repeatedly(text: string, pattern: RegExp, by: string): string {
  const next = text.replaceAll(pattern, by);
  return next === text ? text : repeatedly(next, pattern, by);
}

function plainText(markup: string): string {
  let text = unescaped(unescaped(markup))
    .replaceAll(/<!--.*?-->/gs, '')
    .replaceAll(/<ref[^>]*\/>/g, '')
    .replaceAll(/<ref.*?<\/ref>/gs, '')
    .replaceAll(/<gallery.*?<\/gallery>|<math.*?<\/math>/gs, '')
    .replaceAll(/<[^>]+>/g, '')
    .replaceAll(/\{\{convert\|([^|{}]*)\|([^|{}]*)[^{}]*\}\}/gi, '$1 $2');
  text = repeatedly(text, /\{\{[^{}]*\}\}/g, '').replaceAll(/\{\|.*?\|\}/gs, '');
  text = repeatedly(text, /\[\[(?:File|Image|Category):(?:[^[\]]|\[\[[^[\]]*\]\])*\]\]/gi, '');
  return text
    .replaceAll(/\[\[(?:[^[\]|]*\|)?([^[\]|]*)\]\]/g, '$1')
    .replaceAll(/\[https?:\S+ ([^\]]*)\]/g, '$1')
    .replaceAll(/\[https?:\S+\]/g, '')
    .replaceAll(/'{2,}/g, '')
    .replaceAll(/\([\s,;]*\)/g, '');
}

/** Returns the first paragraphs of prose of an article; none of a redirect, or if there are too few. */
export function paragraphsOfWiki(markup: string, { characters, paragraphs, first }: Limits): string[] {
  if (/^#redirect/i.test(markup)) return [];
  const prose = plainText(markup)
    .split(/\n\s*\n|\n(?=[=*#:;])|(?<==)\n/)
    .map((paragraph) => paragraph.replaceAll(/\s+/g, ' ').trim())
    .filter((paragraph) => paragraph.length >= characters && paragraph.length <= MAX_LENGTH)
    .filter((paragraph) => !/^[=*#:;|!{]|\||\{\{|\[\[/.test(paragraph))
    .slice(0, first);
  return prose.length < paragraphs ? [] : prose;
}

/** Returns the articles with enough prose; redirects, lists and pages of other name spaces are left out. */
export function readArticles(file: string): Source[] {
  const pages = readFileSync(file, 'utf8').matchAll(/<page>(.*?)<\/page>/gs);
  return Array.from(pages, ([, page = '']) => {
    const title = unescaped(/<title>(.*?)<\/title>/.exec(page)?.[1] ?? '');
    const markup = /<text[^>]*>(.*?)<\/text>/s.exec(page)?.[1] ?? '';
    return { title, paragraphs: paragraphsOfWiki(markup, LIMITS) };
  }).filter(({ title, paragraphs }) => !/:|^List of|disambiguation/.test(title) && paragraphs.length > 0);
}
