/**
 * fontkit as pdf-lib calls it. pdf-lib takes a subset's `encode()` for that of fontkit 2, which answers with bytes; in
 * fontkit 1 it writes to a stream that it is given, and only `encodeStream()` makes one.
 */
import type { PDFDocument } from '@cantoo/pdf-lib';
import fontkit from '@pdf-lib/fontkit';

type Fontkit = Parameters<PDFDocument['registerFontkit']>[0];
type Font = Exclude<ReturnType<Fontkit['create']>, null>;

interface StreamSubset {
  encode: (stream?: unknown) => unknown;
  encodeStream: () => NodeJS.EventEmitter;
}

export const subsettingFontkit: Fontkit = {
  create(bytes) {
    const font = fontkit.create(bytes) as unknown as { createSubset: () => StreamSubset };
    const createSubset = font.createSubset.bind(font);
    font.createSubset = () => withBytes(createSubset());
    return font as unknown as Font;
  },
};

function withBytes(subset: StreamSubset): StreamSubset {
  const writeTo = subset.encode.bind(subset);
  subset.encode = (stream) => (stream === undefined ? collect(subset) : writeTo(stream));
  return subset;
}

function collect(subset: StreamSubset): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const parts: Uint8Array[] = [];
    subset
      .encodeStream()
      .on('data', (bytes: Uint8Array) => parts.push(bytes))
      .on('end', () => resolve(Buffer.concat(parts)))
      .on('error', reject);
  });
}
