import { attribute } from '../xml/xml-element.ts';
import type { XmlElement } from '../xml/xml-element.ts';

const FILE_NAME = /^[^\n]{1,200}\.(?:png|jpe?g|gif|bmp|tiff?|emf|wmf|svg|webp)$/i;
/** Generic words for a picture, with or without a number. */
const PLACEHOLDER = /^(?:picture|image|graphic|photo|figure|chart|shape|bild|grafik|abbildung|imagen|immagine)\s*\d*$/i;
const GENERATED = /\s*(?:Description automatically generated|AI-generated content may be incorrect\.?)[^\n]*$/i;

/**
 * Returns the author's description of a picture, else its title, from a `cNvPr` or `docPr` element. Names assigned by
 * the program ("Picture 3") and file names are ignored.
 */
export function altText(properties: XmlElement | undefined): string {
  for (const name of ['descr', 'title']) {
    const text = describedBy(attribute(properties, name) ?? '');
    if (text !== '') return text;
  }
  return '';
}

/** Returns a picture's description without generated phrases; empty if nothing remains. */
export function describedBy(description: string): string {
  const text = description.replace(GENERATED, '').trim();
  return FILE_NAME.test(text) || PLACEHOLDER.test(text) ? '' : text;
}
