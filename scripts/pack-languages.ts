/**
 * Writes `packages/text/assets/languages/ngrams.bin` from the smallest data set of the `eld` package. The file has a
 * line of JSON (languages, number of n-grams), the n-grams in ascending order, padded with zeros to six bytes, the
 * number of languages of each n-gram, and for each of these its index and score.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

interface EldModule {
  ngramsData: { languages: Record<number, string>; ngrams: Record<string, Record<number, number>> };
  avgScore: Record<string, number>;
  dictionary: string[];
}

const PIECE_BYTES = 6;

/** The package exports the detector only; its data is in files beside the entry files. */
const entry = import.meta.resolve('eld/extrasmall');
const load = async (file: string): Promise<EldModule> => (await import(new URL(`../${file}`, entry).href)) as EldModule;
const { languages, ngrams } = (await load('ngrams/extrasmall.js')).ngramsData;
const { avgScore } = await load('avgScore.js');
const { dictionary } = await load('dictionary.js');

/** A character of eld's data represents a byte. */
const byteOf = new Map(dictionary.map((character, byte) => [character, byte]));
byteOf.set(' ', 0x20);

const pieces = Object.entries(ngrams)
  .map(([piece, scores]) => ({
    bytes: Buffer.concat([Buffer.from(Array.from(piece, requiredByte)), Buffer.alloc(PIECE_BYTES - piece.length)]),
    scores: Object.entries(scores).map(([language, score]) => [Number(language), score]),
  }))
  .toSorted((a, b) => Buffer.compare(a.bytes, b.bytes));
const header = {
  languages: Object.values(languages).map((code) => [code, avgScore[code]]),
  pieces: pieces.length,
};
const target = path.join(import.meta.dirname, '..', 'packages', 'server', 'models', 'languages', 'ngrams.bin');
const bytes = Buffer.concat([
  Buffer.from(`${JSON.stringify(header)}\n`),
  ...pieces.map((piece) => piece.bytes),
  Buffer.from(pieces.map((piece) => piece.scores.length)),
  Buffer.from(pieces.flatMap((piece) => piece.scores.flat())),
]);
writeFileSync(target, bytes);
console.log(`${target}: ${pieces.length} pieces, ${readFileSync(target).length} bytes`);

function requiredByte(character: string): number {
  const byte = byteOf.get(character);
  if (byte === undefined) throw new Error(`eld's dictionary has no ${JSON.stringify(character)}`);
  return byte;
}
