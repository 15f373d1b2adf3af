/** Reads formulas of Equation Editor and MathType from embedded objects. */
import { bytesSource, CompoundFile } from '../../compound/compound-file.ts';
import { mtefToLatex } from './mtef-latex.ts';
import { readMtef, type MtefNode } from './mtef-reader.ts';

/** Name of the stream with the formula of an embedded object. */
export const EQUATION_STREAM = 'Equation Native';
/** Maximum size of a formula, in bytes; the longest ones have some thousand records. */
const MAX_EQUATION_BYTES = 1_000_000;

/** Returns the LaTeX of an embedded OLE container; undefined if it is not a readable formula. */
export function latexOfObject(container: Buffer): string | undefined {
  const stream = CompoundFile.open(bytesSource(container))?.stream(EQUATION_STREAM);
  return stream && latexOfEquation(stream);
}

/**
 * Returns the LaTeX of an `Equation Native` stream: a header that begins with its own length, then the formula's
 * records.
 */
export function latexOfEquation(stream: Buffer): string | undefined {
  if (stream.length < 32 || stream.length > MAX_EQUATION_BYTES) return undefined;
  const headerBytes = stream.readUInt16LE(0);
  const declared = stream.readUInt32LE(8);
  const end = declared > 0 ? Math.min(stream.length, headerBytes + declared) : stream.length;
  try {
    const nodes = readMtef(stream.subarray(headerBytes, end));
    const latex = nodes === undefined || !nodes.some(containsCharacter) ? '' : mtefToLatex(nodes);
    return latex === '' ? undefined : latex;
  } catch (error) {
    // A truncated or damaged formula keeps its picture.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Returns whether the formula contains any character; one with only blank slots is ignored. */
function containsCharacter(node: MtefNode): boolean {
  if (node.kind === 'character') return true;
  return (node.kind === 'template' ? node.parts : node.children).some(containsCharacter);
}
