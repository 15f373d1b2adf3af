/**
 * Reverts the predictors of Flate and LZW streams (PNG and TIFF), which store differences between neighbouring samples.
 */
import type { PDFDict } from '@cantoo/pdf-lib';
import { numberAt } from './pdf-objects.ts';

const TIFF = 2;
const PNG = 10;

/** Returns a copy with the predictor reverted; undefined for unsupported parameters. */
export function undoPredictor(bytes: Uint8Array, parameters: PDFDict | undefined): Uint8Array | undefined {
  const predictor = numberAt(parameters, 'Predictor') ?? 1;
  if (predictor === 1) return Uint8Array.from(bytes);
  const colours = numberAt(parameters, 'Colors') ?? 1;
  const bits = numberAt(parameters, 'BitsPerComponent') ?? 8;
  const columns = numberAt(parameters, 'Columns') ?? 1;
  const pixelBytes = Math.max(1, Math.floor((colours * bits) / 8));
  const rowBytes = Math.ceil((columns * colours * bits) / 8);
  if (predictor >= PNG) return undoPng(bytes, rowBytes, pixelBytes);
  if (predictor !== TIFF || bits !== 8) return undefined;
  const result = Uint8Array.from(bytes);
  for (let at = 0; at < result.length; at += 1) {
    if (at % rowBytes >= pixelBytes) result[at] = (result[at] ?? 0) + (result[at - pixelBytes] ?? 0);
  }
  return result;
}

function undoPng(bytes: Uint8Array, rowBytes: number, pixelBytes: number): Uint8Array {
  const rows = Math.ceil(bytes.length / (rowBytes + 1));
  const result = new Uint8Array(rows * rowBytes);
  for (let row = 0; row < rows; row += 1) {
    const filter = bytes[row * (rowBytes + 1)] ?? 0;
    for (let column = 0; column < rowBytes; column += 1) {
      const at = row * rowBytes + column;
      const raw = bytes[row * (rowBytes + 1) + 1 + column] ?? 0;
      const left = column >= pixelBytes ? (result[at - pixelBytes] ?? 0) : 0;
      const above = row > 0 ? (result[at - rowBytes] ?? 0) : 0;
      const corner = row > 0 && column >= pixelBytes ? (result[at - rowBytes - pixelBytes] ?? 0) : 0;
      result[at] = raw + predicted(filter, left, above, corner);
    }
  }
  return result;
}

function predicted(filter: number, left: number, above: number, corner: number): number {
  if (filter === 1) return left;
  if (filter === 2) return above;
  if (filter === 3) return (left + above) >> 1;
  return filter === 4 ? paeth(left, above, corner) : 0;
}

function paeth(left: number, above: number, corner: number): number {
  const estimate = left + above - corner;
  const [byLeft, byAbove, byCorner] = [left, above, corner].map((each) => Math.abs(estimate - each));
  if ((byLeft ?? 0) <= (byAbove ?? 0) && (byLeft ?? 0) <= (byCorner ?? 0)) return left;
  return (byAbove ?? 0) <= (byCorner ?? 0) ? above : corner;
}
