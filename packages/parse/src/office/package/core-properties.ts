import { child, textOf } from '../xml/xml-element.ts';
import type { OfficePackage } from './office-package.ts';

/** Titles that programs insert by default. */
const PLACEHOLDER =
  /^(?:untitled|document\d*|powerpoint presentation|presentation\d*|microsoft (?:word|powerpoint|excel)\b.*|book\d+|slide \d+)$/i;

/** Returns the title from the document's properties; null if there is none or only a default one. */
export function readCoreTitle(officePackage: OfficePackage): string | null {
  const root = officePackage.optionalTree(officePackage.relatedPart('', 'core-properties'));
  const title = textOf(child(root, 'dc:title')).trim();
  return title === '' || PLACEHOLDER.test(title) ? null : title;
}
