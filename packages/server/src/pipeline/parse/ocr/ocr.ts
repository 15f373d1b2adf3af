/**
 * OCR of one picture: prepare it, recognise, right it when it lies on its side or its head, and drop what is noise.
 * The `tesseract` program is used when it is on PATH and has the languages, else the WASM build. Engines are kept for
 * the life of the process, which is a sandboxed parser child: both end with it.
 */
import type { BoundingBox } from '../../../content/block.ts';
import { createWasmEngine } from './tesseract-wasm.ts';
import { findTesseractProgram } from './tesseract-program.ts';
import type { TesseractProgram } from './tesseract-program.ts';
import type { OcrEngine, OcrImage, OcrOptions, OcrWord } from './ocr-engine.ts';
import { preparePicture, shrinkForOrientation, turnPicture } from './prepare.ts';
import { linesStand, measureSkew } from './skew.ts';
import type { PictureSource } from './prepare.ts';

export type { PictureSource } from './prepare.ts';

export interface OcrRequest extends OcrOptions {
  /** A folder with `<language>.traineddata` files for languages that are not packaged. */
  tessdataDir?: string | undefined;
  maxPixels: number;
  /** Of the picture that is recognised; larger ones are scaled down. */
  ocrPixels?: number | undefined;
  /** Tests and measurements pick one; otherwise the best one that is there. */
  engine?: OcrEngine | undefined;
}

export interface RecognisedPicture {
  /** In reading order, in pixels of the upright picture. */
  words: OcrWord[];
  /** Of the upright picture, in pixels. */
  width: number;
  height: number;
  /** Degrees by which the picture was turned clockwise to set its lines straight, after `turn`; mostly 0. */
  skew: number;
  /** Quarter turns clockwise from the picture as it is shown to the upright one (the straightening comes after it). */
  turn: 0 | 1 | 2 | 3;
}

/** Words of the picture; none when it holds no recognisable text. Throws `ContentError` (`corrupt`, `unsupported`). */
export async function recognisePicture(source: PictureSource, request: OcrRequest): Promise<RecognisedPicture> {
  const engine = request.engine ?? (await engineFor(request.tessdataDir ?? null, request.languages));
  const image = await preparePicture(source, request.maxPixels, request.ocrPixels);
  // A page on its side is turned before it is read: reading it as it lies takes twice the time and gives nothing.
  const lying = (await linesStand(image)) ? await recogniseTurned(engine, image, request) : null;
  if (lying !== null && !looksTurned(lying.words)) return { ...lying, words: withoutNoise(lying.words) };
  const shown = await recogniseStraight(engine, image, request);
  const turned = lying ?? (looksTurned(shown.words) ? await recogniseTurned(engine, image, request) : null);
  const best = turned !== null && legibility(turned.words) > legibility(shown.words) ? turned : shown;
  return { ...best, words: withoutNoise(best.words) };
}

async function recogniseStraight(engine: OcrEngine, image: OcrImage, request: OcrRequest): Promise<RecognisedPicture> {
  const skew = await measureSkew(image);
  const straight = skew === 0 ? image : await turnPicture(image, skew);
  const words = await engine.recognise(straight, request);
  return { words, width: straight.width, height: straight.height, skew, turn: 0 };
}

/** The upright reading, or null when the page stands upright or nobody can tell. */
async function recogniseTurned(
  engine: OcrEngine,
  image: OcrImage,
  request: OcrRequest,
): Promise<RecognisedPicture | null> {
  const orientation = await engine.orientation(await shrinkForOrientation(image), request.signal);
  if (orientation === null || orientation.degrees === 0) return null;
  const upright = await turnPicture(image, orientation.degrees);
  const turn = ([0, 1, 2, 3] as const)[orientation.degrees / 90] ?? 0;
  return { ...(await recogniseStraight(engine, upright, request)), turn };
}

/** A box of the upright picture on the picture as it is shown, in 0..1 from its top left corner. */
export function shownBox(box: readonly [number, number, number, number], picture: RecognisedPicture): BoundingBox {
  const [x0, y0, x1, y1] = skewedBack(box, picture);
  if (picture.turn === 1) return [y0, flip(x1), y1, flip(x0)];
  if (picture.turn === 2) return [flip(x1), flip(y1), flip(x0), flip(y0)];
  if (picture.turn === 3) return [flip(y1), x0, flip(y0), x1];
  return [x0, y0, x1, y1];
}

/** Undoes the straightening: corners are turned back about the centre of the picture, which had grown by the turn. */
function skewedBack(
  [x0, y0, x1, y1]: readonly [number, number, number, number],
  picture: RecognisedPicture,
): BoundingBox {
  const angle = (-picture.skew * Math.PI) / 180;
  const [sine, cosine] = [Math.sin(angle), Math.cos(angle)];
  const { width, height } = picture;
  const grown = cosine * cosine - sine * sine;
  const [wide, high] = [
    (width * cosine - height * Math.abs(sine)) / grown,
    (height * cosine - width * Math.abs(sine)) / grown,
  ];
  const corners = [
    [x0, y0],
    [x1, y0],
    [x0, y1],
    [x1, y1],
  ].map(([x = 0, y = 0]) => {
    const [dx, dy] = [x - width / 2, y - height / 2];
    return [(dx * cosine - dy * sine) / wide + 0.5, (dx * sine + dy * cosine) / high + 0.5] as const;
  });
  const [xs, ys] = [corners.map(([x]) => x), corners.map(([, y]) => y)];
  return [clamp(Math.min(...xs)), clamp(Math.min(...ys)), clamp(Math.max(...xs)), clamp(Math.max(...ys))];
}

const clamp = (value: number): number => Math.round(Math.min(1, Math.max(0, value)) * 1e5) / 1e5;
const flip = (value: number): number => clamp(1 - value);

/** Upside-down pages are read with a confidence near 0.4, upright clean ones with 0.9, bad scans with 0.7. */
const UPRIGHT_CONFIDENCE = 0.65;

/** Low confidence, or words taller than wide: Tesseract reads lines that run upwards, but gives no order of them. */
function looksTurned(words: readonly OcrWord[]): boolean {
  const long = words.filter((word) => word.text.length >= 4);
  const standing = long.filter(({ bbox }) => bbox[3] - bbox[1] > 1.5 * (bbox[2] - bbox[0]));
  return words.length > 0 && (standing.length * 2 > long.length || meanConfidence(words) < UPRIGHT_CONFIDENCE);
}

function meanConfidence(words: readonly OcrWord[]): number {
  const length = words.reduce((sum, word) => sum + word.text.length, 0);
  return length === 0 ? 0 : words.reduce((sum, word) => sum + word.confidence * word.text.length, 0) / length;
}

/** How much was read with some certainty: characters times confidence; text that stands on its side counts little. */
function legibility(words: readonly OcrWord[]): number {
  const sure = words.filter((word) => word.confidence >= 0.5);
  const characters = sure.reduce((sum, word) => sum + word.text.length * word.confidence, 0);
  const long = sure.filter((word) => word.text.length >= 4);
  const lying = long.filter(({ bbox }) => bbox[3] - bbox[1] <= 1.5 * (bbox[2] - bbox[0]));
  return long.length > 0 ? (characters * lying.length) / long.length : characters;
}

/** Figures and stains give 0 to 0.3, readable words in bad scans 0.4 and more. */
const WORD_CONFIDENCE = 0.3;
const LINE_CONFIDENCE = 0.45;
/** In a line that is read well, a doubtful word is a word all the same, a foreign one often: not to be lost. */
const GOOD_LINE_CONFIDENCE = 0.7;
/** Letters and digits that must be read with certainty before a picture counts as holding text at all. */
const SURE_CONFIDENCE = 0.7;
const SURE_CHARACTERS = 3;

function withoutNoise(words: readonly OcrWord[]): OcrWord[] {
  const lines = new Map<number, OcrWord[]>();
  for (const word of words) lines.set(word.line, [...(lines.get(word.line) ?? []), word]);
  const kept = words.filter((word) => {
    const line = meanConfidence(lines.get(word.line) ?? []);
    if (line < LINE_CONFIDENCE) return false;
    return word.confidence >= WORD_CONFIDENCE || (line >= GOOD_LINE_CONFIDENCE && /[\p{L}\p{N}]{2}/u.test(word.text));
  });
  const sure = kept.filter((word) => word.confidence >= SURE_CONFIDENCE && /[\p{L}\p{N}]{2}|\p{Lo}/u.test(word.text));
  const characters = sure.reduce((sum, word) => sum + (word.text.match(/[\p{L}\p{N}]/gu)?.length ?? 0), 0);
  return characters >= SURE_CHARACTERS ? kept : [];
}

interface Engines {
  program: TesseractProgram | null;
  wasm: OcrEngine;
}

/** By folder of language data; kept for the life of the process. */
const engines = new Map<string | null, Promise<Engines>>();

async function engineFor(tessdataDir: string | null, languages: readonly string[]): Promise<OcrEngine> {
  const known = engines.get(tessdataDir) ?? findEngines(tessdataDir);
  engines.set(tessdataDir, known);
  const { program, wasm } = await known;
  return program !== null && program.missingLanguage(languages) === null ? program : wasm;
}

async function findEngines(tessdataDir: string | null): Promise<Engines> {
  return { program: await findTesseractProgram({ tessdataDir }), wasm: createWasmEngine({ tessdataDir }) };
}

/** Ends the engines of this process; the next picture starts them again. */
export async function closeOcr(): Promise<void> {
  const open = [...engines.values()];
  engines.clear();
  for (const found of open) await (await found).wasm.close();
}
