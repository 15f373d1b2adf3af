import { packagedEquation } from '../../legacy/equation/packaged-equation.ts';
import type { OfficePackage } from '../../office/package/office-package.ts';
import type { Numbering } from '../../office/build/numbering.ts';
import type { Notes } from './notes.ts';
import type { Styles } from './styles.ts';

/** State shared by the readers of one story (body, header, note). Relationship ids are valid within `partName` only. */
export class DocxContext {
  readonly officePackage: OfficePackage;
  readonly partName: string;
  readonly styles: Styles;
  readonly numbering: Numbering;
  readonly notes: Notes;
  /** Part names of the pictures read so far, in order. */
  readonly pictures: string[];

  constructor(
    officePackage: OfficePackage,
    partName: string,
    styles: Styles,
    numbering: Numbering,
    notes: Notes,
    pictures: string[] = [],
  ) {
    this.officePackage = officePackage;
    this.partName = partName;
    this.styles = styles;
    this.numbering = numbering;
    this.notes = notes;
    this.pictures = pictures;
  }

  forPart(partName: string): DocxContext {
    return new DocxContext(this.officePackage, partName, this.styles, this.numbering, this.notes, this.pictures);
  }

  /** Returns the part that a relationship id refers to. */
  part(id: string | undefined): string | undefined {
    const found = this.officePackage.relationships(this.partName).find((each) => each.id === id);
    return found === undefined || found.external ? undefined : found.target;
  }

  /** Returns the LaTeX of the embedded object with this relationship id, if it is a formula. */
  equation(id: string | undefined, program: string | undefined): string | undefined {
    return packagedEquation(this.officePackage, this.part(id), program);
  }

  /** Returns the address of a hyperlink by its relationship id. */
  externalTarget(id: string | undefined): string | undefined {
    if (id === undefined) return undefined;
    const found = this.officePackage.relationships(this.partName).find((each) => each.id === id);
    return found?.external === true ? found.target : undefined;
  }
}
