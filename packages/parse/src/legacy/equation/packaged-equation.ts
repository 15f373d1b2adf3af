import type { OfficePackage } from '../../office/package/office-package.ts';
import { latexOfObject } from './equation-object.ts';

/** Matches the program ids `Equation.3` of Equation Editor, `Equation.DSMT4` of MathType, and similar ones. */
const EQUATION_PROGRAM = /^(?:Equation|MathType)\b/i;

/**
 * Returns the LaTeX of an embedded object of a docx or pptx, if its program makes formulas and the formula is readable.
 */
export function packagedEquation(
  officePackage: OfficePackage,
  partName: string | undefined,
  program: string | undefined,
): string | undefined {
  if (partName === undefined || program === undefined || !EQUATION_PROGRAM.test(program)) return undefined;
  return officePackage.has(partName) ? latexOfObject(officePackage.bytes(partName)) : undefined;
}
