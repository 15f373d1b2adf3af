import type { BlockDraft } from '@quire/blocks/block';
import type { OfficePackage } from '../../office/package/office-package.ts';
import type { XmlElement } from '../../office/xml/xml-element.ts';
import type { OdfStyles } from './styles.ts';

/** What the readers of one OpenDocument file share. */
export interface OdfContext {
  officePackage: OfficePackage;
  styles: OdfStyles;
  /** Reads what lies inside an element as text. Here, because frames hold text and text holds frames. */
  readTree: (element: XmlElement) => BlockDraft[];
  /** Texts of notes and comments met so far, to follow the body. */
  notes: string[];
  /** Parts of the pictures met so far. */
  pictures: string[];
  comments: string[];
}
