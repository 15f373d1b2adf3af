import type { BlockDraft } from '@quire/blocks/block';
import type { OfficePackage } from '../../office/package/office-package.ts';
import type { XmlElement } from '../../office/xml/xml-element.ts';
import type { OdfStyles } from './styles.ts';

/** State shared by the readers of one OpenDocument file. */
export interface OdfContext {
  officePackage: OfficePackage;
  styles: OdfStyles;
  /** Reads the content of an element. It is a field because text and frames contain each other. */
  readTree: (element: XmlElement) => BlockDraft[];
  /** Texts of the notes read so far, which follow the body. */
  notes: string[];
  /** Part names of the pictures read so far. */
  pictures: string[];
  comments: string[];
}
