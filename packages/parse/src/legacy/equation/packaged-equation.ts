import type { OfficePackage } from '../../office/package/office-package.ts';
import { latexOfObject } from './equation-object.ts';

/** Equation Editor calls itself `Equation.3`, MathType `Equation.DSMT4` and the like. */
const EQUATION_PROGRAM = /^(?:Equation|MathType)\b/i;

/** LaTeX of an embedded object of a docx or pptx, when its program makes formulas and the formula can be read. */
export function packagedEquation(
  officePackage: OfficePackage,
  partName: string | undefined,
  program: string | undefined,
): string | undefined {
  if (partName === undefined || program === undefined || !EQUATION_PROGRAM.test(program)) return undefined;
  return officePackage.has(partName) ? latexOfObject(officePackage.bytes(partName)) : undefined;
}
