import { attribute } from '../xml/xml-element.ts';
import type { XmlElement } from '../xml/xml-element.ts';

const FILE_NAME = /^[^\n]{1,200}\.(?:png|jpe?g|gif|bmp|tiff?|emf|wmf|svg|webp)$/i;
const GENERATED = /\s*(?:Description automatically generated|AI-generated content may be incorrect\.?)[^\n]*$/i;

/**
 * The author's description of a picture, else its title; from a `cNvPr` or `docPr` element. Names given by the program
 * ("Picture 3") and file names say nothing about the picture and are not taken.
 */
export function altText(properties: XmlElement | undefined): string {
  for (const name of ['descr', 'title']) {
    const text = (attribute(properties, name) ?? '').replace(GENERATED, '').trim();
    if (text !== '' && !FILE_NAME.test(text)) return text;
  }
  return '';
}
