/** Reads the table of contents: the EPUB 3 navigation document, else the EPUB 2 NCX. */
import { ContentError } from '@quire/blocks/content-error';
import type { OfficePackage } from '../../office/package/office-package.ts';
import { attribute, childElements, descendants, textOf, type XmlElement } from '../../office/xml/xml-element.ts';
import { elementsNamed, resolvePath, type PackageDocument } from './package-document.ts';

export interface ContentsEntry {
  title: string;
  /** Nesting in the table of contents, from 1 to 6. */
  level: number;
}

const MAX_LEVEL = 6;

/** Returns the first entry of each chapter by its path. A damaged table of contents counts as empty. */
export function readTableOfContents(book: OfficePackage, document: PackageDocument): Map<string, ContentsEntry> {
  const entries = new Map<string, ContentsEntry>();
  const { navigation, ncx } = document;
  const navigationRoot = optionalTree(book, navigation);
  if (navigation !== undefined && navigationRoot !== undefined) addNavigation(navigationRoot, navigation, entries);
  const ncxRoot = entries.size === 0 ? optionalTree(book, ncx) : undefined;
  if (ncx !== undefined && ncxRoot !== undefined) addNavPoints(ncxRoot, ncx, 1, entries);
  return entries;
}

function optionalTree(book: OfficePackage, path: string | undefined): XmlElement | undefined {
  try {
    return book.optionalTree(path, { allowPlainDoctype: true });
  } catch (error) {
    if (error instanceof ContentError && error.type === 'corrupt') return undefined;
    throw error;
  }
}

function addNavigation(root: XmlElement, path: string, entries: Map<string, ContentsEntry>): void {
  const lists = elementsNamed(root, 'nav');
  const contents = lists.find((nav) => /\btoc\b/.test(typeOf(nav))) ?? lists[0];
  if (contents !== undefined) addListItems(contents, path, 0, entries);
}

/** Returns the attribute `epub:type`, whose prefix may differ. */
const typeOf = ({ attributes }: XmlElement): string =>
  Object.entries(attributes).find(([name]) => name.endsWith(':type'))?.[1] ?? '';

function addListItems(element: XmlElement, path: string, level: number, entries: Map<string, ContentsEntry>): void {
  for (const each of childElements(element)) {
    if (each.name === 'a') addEntry(attribute(each, 'href'), textOf(each), { path, level, entries });
    else addListItems(each, path, each.name === 'ol' ? level + 1 : level, entries);
  }
}

function addNavPoints(element: XmlElement, path: string, level: number, entries: Map<string, ContentsEntry>): void {
  for (const point of descendants(element, 'navPoint')) {
    const label = childElements(point).find((each) => each.name === 'navLabel');
    const content = childElements(point).find((each) => each.name === 'content');
    addEntry(attribute(content, 'src'), textOf(label), { path, level, entries });
    addNavPoints(point, path, level + 1, entries);
  }
}

interface EntryPlace {
  path: string;
  level: number;
  entries: Map<string, ContentsEntry>;
}

function addEntry(href: string | undefined, text: string, { path, level, entries }: EntryPlace): void {
  const title = text.replace(/\s+/g, ' ').trim();
  if (href === undefined || title === '') return;
  const target = resolvePath(path, href);
  if (!entries.has(target)) entries.set(target, { title, level: Math.min(Math.max(1, level), MAX_LEVEL) });
}
