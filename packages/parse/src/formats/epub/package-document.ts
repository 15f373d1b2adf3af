/** Reads the package document (OPF): the title, the language, and the chapters in reading order. */
import { posix } from 'node:path';
import { ContentError } from '@quire/blocks/content-error';
import type { OfficePackage } from '../../office/package/office-package.ts';
import { attribute, childElements, textOf, type XmlElement } from '../../office/xml/xml-element.ts';

export interface PackageDocument {
  title: string | null;
  /** Primary subtag of the declared BCP 47 language, for example `en` for `en-GB`. */
  language: string | null;
  /** Paths of the chapters in reading order, without the navigation document. */
  spine: string[];
  /** Path of the EPUB 3 navigation document. */
  navigation: string | undefined;
  /** Path of the EPUB 2 table of contents (NCX). */
  ncx: string | undefined;
}

interface ManifestItem {
  path: string;
  mediaType: string;
  properties: readonly string[];
}

const CONTAINER = 'META-INF/container.xml';
const CHAPTER_TYPES = new Set(['application/xhtml+xml', 'text/html', 'text/x-oeb1-document']);

/** Throws `ContentError` `corrupt` if the book states no reading order. */
export function readPackageDocument(book: OfficePackage): PackageDocument {
  const path = packagePath(book);
  const root = book.tree(path, { allowPlainDoctype: true });
  const items = manifestItems(root, path);
  const all = [...items.values()];
  const navigation = all.find((item) => item.properties.includes('nav'))?.path;
  const spine = spinePaths(root, items).filter((each) => each !== navigation);
  if (spine.length === 0) throw new ContentError('corrupt', 'The book is damaged: it states no reading order');
  return {
    title: firstText(root, 'title'),
    language: firstText(root, 'language')?.split(/[-_]/)[0]?.toLowerCase() || null,
    spine,
    navigation,
    ncx: all.find((item) => item.mediaType === 'application/x-dtbncx+xml')?.path,
  };
}

function packagePath(book: OfficePackage): string {
  if (!book.has(CONTAINER)) throw new ContentError('corrupt', `The book is damaged: it has no part '${CONTAINER}'`);
  const container = book.tree(CONTAINER, { allowPlainDoctype: true });
  for (const rootFile of elementsNamed(container, 'rootfile')) {
    const path = attribute(rootFile, 'full-path');
    if (path !== undefined && book.has(path)) return path;
  }
  throw new ContentError('corrupt', 'The book is damaged: its package document is missing');
}

function manifestItems(root: XmlElement, packageFile: string): Map<string, ManifestItem> {
  const items = new Map<string, ManifestItem>();
  for (const item of elementsNamed(root, 'item')) {
    const id = attribute(item, 'id');
    const href = attribute(item, 'href');
    if (id === undefined || href === undefined) continue;
    items.set(id, {
      path: resolvePath(packageFile, href),
      mediaType: (attribute(item, 'media-type') ?? '').toLowerCase(),
      properties: (attribute(item, 'properties') ?? '').split(/\s/),
    });
  }
  return items;
}

function spinePaths(root: XmlElement, items: ReadonlyMap<string, ManifestItem>): string[] {
  const paths = new Set<string>();
  for (const reference of elementsNamed(root, 'itemref')) {
    const item = items.get(attribute(reference, 'idref') ?? '');
    if (item !== undefined && CHAPTER_TYPES.has(item.mediaType)) paths.add(item.path);
  }
  return [...paths];
}

function firstText(root: XmlElement, name: string): string | null {
  for (const element of elementsNamed(root, name)) {
    const text = textOf(element).replace(/\s+/g, ' ').trim();
    if (text !== '') return text;
  }
  return null;
}

/** Returns all elements with this local name and any prefix, because writers bind the OPF namespace to several. */
export function elementsNamed(root: XmlElement, localName: string): XmlElement[] {
  const found: XmlElement[] = [];
  const visit = (element: XmlElement): void => {
    if (element.name.slice(element.name.indexOf(':') + 1) === localName) found.push(element);
    for (const each of childElements(element)) visit(each);
  };
  visit(root);
  return found;
}

/** Resolves a reference in the part `from` to a path in the book, without its fragment. */
export function resolvePath(from: string, href: string): string {
  const path = href.replace(/[#?].*$/s, '');
  return posix.normalize(posix.join(posix.dirname(from), decodePercent(path))).replace(/^\/+/, '');
}

function decodePercent(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
