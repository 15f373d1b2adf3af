/**
 * OCR of one picture: preprocess, recognise, correct rotation and filter noise. Uses PP-OCR if it is installed and
 * reads the languages, then the `tesseract` program if it is on PATH and has them, otherwise its WASM build. Engines
 * live as long as the process, a sandboxed parser child.
 */
import type { BoundingBox } from '@quire/blocks/block';
import type { ParseContext } from '../parser.ts';
import { detectRotation, type QuarterTurns } from './image/rotation.ts';
import { findPpOcr } from './engines/pp-ocr/model-files.ts';
import { readsLanguage } from './engines/pp-ocr/languages.ts';
import { PpOcr } from './engines/pp-ocr/pp-ocr.ts';
import { createWasmEngine } from './engines/tesseract-wasm.ts';
import { findTesseractProgram } from './engines/tesseract-program.ts';
import type { TesseractProgram } from './engines/tesseract-program.ts';
import type { GreyPicture } from './image/grey-picture.ts';
import { meanConfidence, joinSplitNumbers } from './words/noise.ts';
import { filterUnreadable, isDoubtful } from './words/filter-unreadable.ts';
import type { OcrEngine, OcrOptions, OcrOrientation, OcrWord } from './engines/ocr-engine.ts';
import { preprocessPicture, shrinkForOrientation, rotatePicture } from './image/preprocess.ts';
import { measureSkew } from './image/skew.ts';
import type { Recognition } from './page-warnings.ts';
import type { PictureSource } from './image/preprocess.ts';

export type { PictureSource } from './image/preprocess.ts';

export interface OcrRequest extends OcrOptions {
  /** Folder with `<language>.traineddata` files for languages that are not packaged. */
  tessdataDir?: string | undefined;
  maxPixels: number;
  /** Maximum number of pixels of the recognised picture; larger ones are scaled down. */
  ocrPixels?: number | undefined;
  /** Engine to use; the default is the best available one. */
  engine?: OcrEngine | undefined;
}

/** Builds the OCR request from the options of a parse. */
export function ocrRequest({ options, signal }: ParseContext): OcrRequest {
  const { ocrLanguages: languages, maxPixels, ocrPixels, tessdataDir } = options;
  return { languages, maxPixels, ocrPixels, tessdataDir, signal };
}

export interface RecognisedPicture {
  /** Words in reading order; boxes in pixels of the upright picture. */
  words: OcrWord[];
  /** Size of the upright picture in pixels. */
  width: number;
  height: number;
  /** Preprocessed pixels of the upright picture. */
  grey: GreyPicture;
  /** Clockwise deskew rotation in degrees, applied after `turn`; usually 0. */
  skew: number;
  /** Remaining skew of the upright picture in degrees, clockwise; too small to rotate the pixels. */
  tilt: number;
  /** Clockwise quarter turns from the displayed picture to the upright one, before deskewing. */
  turn: QuarterTurns;
  /**
   * Part of the displayed picture that was read, 0..1; undefined for all of it. All other fields refer to that part.
   */
  window?: BoundingBox;
  /** Whether the picture is a page of known size. */
  isPage: boolean;
  recognition: Recognition;
}

/** Result of recognising the picture in one rotation. */
type Attempt = Omit<RecognisedPicture, 'isPage' | 'recognition' | 'window'>;

/**
 * Recognises a picture; returns no words if it holds no recognisable text. Throws `ContentError` (`corrupt`,
 * `unsupported`).
 */
export async function recognisePicture(source: PictureSource, request: OcrRequest): Promise<RecognisedPicture> {
  const engine = request.engine ?? (await engineFor(request.tessdataDir ?? null, request.languages));
  const { grey, window, arrangement } = await preprocessPicture(source, request.maxPixels, request.ocrPixels);
  const isPage = source.dpi !== undefined;
  const best = await bestAttempt(engine, grey, { ...request, arrangement, retry: !isPage });
  const { attempt } = best;
  const orientation =
    best.orientation === null && isDoubtful(attempt.words, engine.scripts)
      ? await engine.orientation(await shrinkForOrientation(attempt.grey), request.signal)
      : best.orientation;
  const { words, ...unread } = filterUnreadable(attempt.words, orientation, request.languages, engine.scripts);
  const confidence = attempt.words.length === 0 ? null : meanConfidence(attempt.words);
  return {
    ...attempt,
    words: joinSplitNumbers(words),
    isPage,
    ...(window === undefined ? {} : { window }),
    recognition: { confidence, ...unread },
  };
}

/** Request to recognise a preprocessed picture. */
interface Reading extends OcrRequest {
  /** Whether to retry with the other arrangement after a poor result. */
  retry: boolean;
}

interface Best {
  attempt: Attempt;
  /** Detected orientation and script; only determined for pictures that are hard to read. */
  orientation: OcrOrientation | null;
}

async function bestAttempt(engine: OcrEngine, image: GreyPicture, request: Reading): Promise<Best> {
  const small = await shrinkForOrientation(image);
  const detectOrientation = (): Promise<OcrOrientation | null> => engine.orientation(small, request.signal);
  // A rotated page is rotated before recognition, because recognising it sideways is slow and yields nothing.
  const direction = await detectRotation(small);
  const detected = direction === null ? await detectOrientation() : null;
  let best = await recogniseRotated(engine, image, request, direction ?? turnsOf(detected));
  if (!looksRotated(best.words)) return { attempt: best, orientation: detected };
  const orientation = detected ?? (await detectOrientation());
  for (const turn of new Set([turnsOf(orientation), 0 as const])) {
    if (turn === best.turn) continue;
    const other = await recogniseRotated(engine, image, request, turn);
    if (legibility(other.words) > legibility(best.words)) best = other;
    if (!looksRotated(best.words)) break;
  }
  return { attempt: best, orientation };
}

const turnsOf = (orientation: OcrOrientation | null): QuarterTurns =>
  ([0, 1, 2, 3] as const)[(orientation?.degrees ?? 0) / 90] ?? 0;

async function recogniseRotated(
  engine: OcrEngine,
  image: GreyPicture,
  request: Reading,
  turn: QuarterTurns,
): Promise<Attempt> {
  const upright = turn === 0 ? image : await rotatePicture(image, turn * 90);
  return { ...(await recogniseStraight(engine, upright, request)), turn };
}

/** Minimum skew, in degrees, for rotating the pixels; the layout corrects smaller angles by moving words and rules. */
const MIN_DESKEW_DEGREES = 0.8;

async function recogniseStraight(
  engine: OcrEngine,
  image: GreyPicture,
  request: Reading,
): Promise<Omit<Attempt, 'turn'>> {
  const angle = await measureSkew(image);
  const [skew, tilt] = Math.abs(angle) < MIN_DESKEW_DEGREES ? [0, angle] : [angle, 0];
  const grey = skew === 0 ? image : await rotatePicture(image, skew);
  const words = await recogniseWell(engine, grey, request);
  return { words, grey, width: grey.width, height: grey.height, skew, tilt };
}

/** Mean confidence above which the other arrangement hardly ever reads better. */
const SUFFICIENT_CONFIDENCE = 0.75;

async function recogniseWell(engine: OcrEngine, grey: GreyPicture, request: Reading): Promise<OcrWord[]> {
  const words = await engine.recognise(grey, request);
  if (!request.retry || looksRotated(words) || meanConfidence(words) >= SUFFICIENT_CONFIDENCE) return words;
  const arrangement = request.arrangement === 'block' ? 'columns' : 'block';
  const others = await engine.recognise(grey, { ...request, arrangement });
  return legibility(others) > legibility(words) ? others : words;
}

/**
 * Mean confidence below which a page may be rotated: upside-down pages have about 0.4, clean upright ones 0.9, poor
 * scans 0.7.
 */
const UPRIGHT_CONFIDENCE = 0.65;

/**
 * Detects rotated pages by low confidence or by words taller than wide; Tesseract reads vertical lines but returns no
 * order for them.
 */
function looksRotated(words: readonly OcrWord[]): boolean {
  const long = words.filter((word) => word.text.length >= 4);
  const vertical = long.filter(({ bbox }) => bbox[3] - bbox[1] > 1.5 * (bbox[2] - bbox[0]));
  return words.length > 0 && (vertical.length * 2 > long.length || meanConfidence(words) < UPRIGHT_CONFIDENCE);
}

/** Scores a result by characters times confidence; vertical text counts little. */
function legibility(words: readonly OcrWord[]): number {
  const sure = words.filter((word) => word.confidence >= 0.5);
  const characters = sure.reduce((sum, word) => sum + word.text.length * word.confidence, 0);
  const long = sure.filter((word) => word.text.length >= 4);
  const horizontal = long.filter(({ bbox }) => bbox[3] - bbox[1] <= 1.5 * (bbox[2] - bbox[0]));
  return long.length > 0 ? (characters * horizontal.length) / long.length : characters;
}

interface Engines {
  /** PP-OCR; null if its weights or its runtime are not installed. */
  neural: PpOcr | null;
  program: TesseractProgram | null;
  wasm: OcrEngine;
}

/** Engines by language data folder; kept for the life of the process. */
const engines = new Map<string | null, Promise<Engines>>();

async function engineFor(tessdataDir: string | null, languages: readonly string[]): Promise<OcrEngine> {
  const known = engines.get(tessdataDir) ?? findEngines(tessdataDir);
  engines.set(tessdataDir, known);
  const { neural, program, wasm } = await known;
  if (neural !== null && languages.every(readsLanguage)) return neural;
  return program !== null && program.missingLanguage(languages) === null ? program : wasm;
}

async function findEngines(tessdataDir: string | null): Promise<Engines> {
  const [files, program] = [await findPpOcr(), await findTesseractProgram({ tessdataDir })];
  const wasm = createWasmEngine({ tessdataDir });
  const detector = program?.missingLanguage(['osd']) === null ? program : wasm;
  const neural = files === null ? null : new PpOcr(files, (image, signal) => detector.orientation(image, signal));
  return { neural, program, wasm };
}

/** Stops the engines of this process; the next picture starts them again. */
export async function closeOcr(): Promise<void> {
  const open = [...engines.values()];
  engines.clear();
  for (const found of open) {
    const { neural, wasm } = await found;
    await neural?.close();
    await wasm.close();
  }
}
