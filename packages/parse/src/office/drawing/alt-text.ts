import { attribute } from '../xml/xml-element.ts';
import type { XmlElement } from '../xml/xml-element.ts';

const FILE_NAME = /^[^\n]{1,200}\.(?:png|jpe?g|gif|bmp|tiff?|emf|wmf|svg|webp)$/i;
/** Words for a picture, with or without a number, say no more than that there is one. */
const PLACEHOLDER = /^(?:picture|image|graphic|photo|figure|chart|shape|bild|grafik|abbildung|imagen|immagine)\s*\d*$/i;
const GENERATED = /\s*(?:Description automatically generated|AI-generated content may be incorrect\.?)[^\n]*$/i;

/**
 * The author's description of a picture, else its title; from a `cNvPr` or `docPr` element. Names given by the program
 * ("Picture 3") and file names say nothing about the picture and are not taken.
 */
export function altText(properties: XmlElement | undefined): string {
  for (const name of ['descr', 'title']) {
    const text = describedBy(attribute(properties, name) ?? '');
    if (text !== '') return text;
  }
  return '';
}

/** A picture's description without what programs put there; empty when nothing is left. */
export function describedBy(description: string): string {
  const text = description.replace(GENERATED, '').trim();
  return FILE_NAME.test(text) || PLACEHOLDER.test(text) ? '' : text;
}
