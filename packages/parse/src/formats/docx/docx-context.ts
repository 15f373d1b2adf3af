import { packagedEquation } from '../../legacy/equation/packaged-equation.ts';
import type { OfficePackage } from '../../office/package/office-package.ts';
import type { Numbering } from '../../office/build/numbering.ts';
import type { Notes } from './notes.ts';
import type { Styles } from './styles.ts';

/** What the readers of one story (body, header, note) share. Relationship ids mean something in `partName` only. */
export class DocxContext {
  readonly officePackage: OfficePackage;
  readonly partName: string;
  readonly styles: Styles;
  readonly numbering: Numbering;
  readonly notes: Notes;
  /** Parts of the pictures met so far, in order. */
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

  /** The part behind a relationship id. */
  part(id: string | undefined): string | undefined {
    const found = this.officePackage.relationships(this.partName).find((each) => each.id === id);
    return found === undefined || found.external ? undefined : found.target;
  }

  /** LaTeX of the embedded object behind a relationship id, when it is a formula. */
  equation(id: string | undefined, program: string | undefined): string | undefined {
    return packagedEquation(this.officePackage, this.part(id), program);
  }

  /** The address behind a hyperlink's relationship id. */
  externalTarget(id: string | undefined): string | undefined {
    if (id === undefined) return undefined;
    const found = this.officePackage.relationships(this.partName).find((each) => each.id === id);
    return found?.external === true ? found.target : undefined;
  }
}
