/** Formulas of Equation Editor and MathType, which documents hold as embedded objects. */
import { bytesSource, CompoundFile } from '../../compound/compound-file.ts';
import { mtefToLatex } from './mtef-latex.ts';
import { readMtef, type MtefNode } from './mtef-reader.ts';

/** The stream of an embedded object that holds its formula. */
export const EQUATION_STREAM = 'Equation Native';
/** The longest formulas have some thousand records. */
const MAX_EQUATION_BYTES = 1_000_000;

/** LaTeX of an object's own file (an OLE container); undefined when it is no formula, or one that cannot be read. */
export function latexOfObject(container: Buffer): string | undefined {
  const stream = CompoundFile.open(bytesSource(container))?.stream(EQUATION_STREAM);
  return stream && latexOfEquation(stream);
}

/** LaTeX of an `Equation Native` stream: a header that begins with its own length, then the formula's records. */
export function latexOfEquation(stream: Buffer): string | undefined {
  if (stream.length < 32 || stream.length > MAX_EQUATION_BYTES) return undefined;
  const headerBytes = stream.readUInt16LE(0);
  const declared = stream.readUInt32LE(8);
  const end = declared > 0 ? Math.min(stream.length, headerBytes + declared) : stream.length;
  try {
    const nodes = readMtef(stream.subarray(headerBytes, end));
    const latex = nodes === undefined || !nodes.some(holdsCharacter) ? '' : mtefToLatex(nodes);
    return latex === '' ? undefined : latex;
  } catch (error) {
    // Cut off or damaged: the picture of it stays.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** A frame of blank slots is no formula. */
function holdsCharacter(node: MtefNode): boolean {
  if (node.kind === 'character') return true;
  return (node.kind === 'template' ? node.parts : node.children).some(holdsCharacter);
}
