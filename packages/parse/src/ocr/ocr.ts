/**
 * OCR of one picture: prepare it, recognise, right it when it lies on its side or its head, and drop what is noise.
 * The `tesseract` program is used when it is on PATH and has the languages, else the WASM build. Engines are kept for
 * the life of the process, which is a sandboxed parser child: both end with it.
 */
import type { BoundingBox } from '@quire/blocks/block';
import type { ParseContext } from '../parser.ts';
import { directionOf, type QuarterTurns } from './direction.ts';
import { createWasmEngine } from './tesseract-wasm.ts';
import { findTesseractProgram } from './tesseract-program.ts';
import type { TesseractProgram } from './tesseract-program.ts';
import type { GreyPicture } from './grey-picture.ts';
import { meanConfidence, withWholeNumbers } from './noise.ts';
import { readable } from './readable.ts';
import type { OcrEngine, OcrOptions, OcrOrientation, OcrWord } from './ocr-engine.ts';
import { preparePicture, shrinkForOrientation, turnPicture } from './prepare.ts';
import { measureSkew } from './skew.ts';
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

/** What a parse asks for. */
export function ocrRequest({ options, signal }: ParseContext): OcrRequest {
  const { ocrLanguages: languages, maxPixels, ocrPixels, tessdataDir } = options;
  return { languages, maxPixels, ocrPixels, tessdataDir, signal };
}

export interface RecognisedPicture {
  /** In reading order, in pixels of the upright picture. */
  words: OcrWord[];
  /** Of the upright picture, in pixels. */
  width: number;
  height: number;
  /** Its pixels, as they were read. */
  grey: GreyPicture;
  /** Degrees by which the picture was turned clockwise to set its lines straight, after `turn`; mostly 0. */
  skew: number;
  /** Degrees, clockwise, that would set the lines of the upright picture quite straight: too few to turn it for. */
  tilt: number;
  /** Quarter turns clockwise from the picture as it is shown to the upright one (the straightening comes after it). */
  turn: QuarterTurns;
  /** The part of the shown picture that was read, 0..1; undefined for all of it. Everything above speaks of that part. */
  window?: BoundingBox;
  /** A page of known size, rather than any picture. */
  isPage: boolean;
  /** Why there are fewer words than there may be: `Page 3 ` goes before it. */
  notice?: string;
}

/** A reading of the picture as it lies, or turned. */
type Attempt = Omit<RecognisedPicture, 'isPage' | 'notice' | 'window'>;

/** Words of the picture; none when it holds no recognisable text. Throws `ContentError` (`corrupt`, `unsupported`). */
export async function recognisePicture(source: PictureSource, request: OcrRequest): Promise<RecognisedPicture> {
  const engine = request.engine ?? (await engineFor(request.tessdataDir ?? null, request.languages));
  const { grey, window, arrangement } = await preparePicture(source, request.maxPixels, request.ocrPixels);
  const isPage = source.dpi !== undefined;
  const { attempt, seen } = await bestAttempt(engine, grey, { ...request, arrangement, retry: !isPage });
  const { words, notice } = readable(attempt.words, seen, request.languages);
  return {
    ...attempt,
    words: withWholeNumbers(words),
    isPage,
    ...(window === undefined ? {} : { window }),
    ...(notice === undefined ? {} : { notice }),
  };
}

/** How a prepared picture is read. */
interface Reading extends OcrRequest {
  /** In the other arrangement too, when the first one reads badly. */
  retry: boolean;
}

interface Best {
  attempt: Attempt;
  /** What was seen of the picture's direction and script; only asked of pictures that are hard to read. */
  seen: OcrOrientation | null;
}

async function bestAttempt(engine: OcrEngine, image: GreyPicture, request: Reading): Promise<Best> {
  const small = await shrinkForOrientation(image);
  const look = (): Promise<OcrOrientation | null> => engine.orientation(small, request.signal);
  // A page on its side or its head is turned before it is read: reading it as it lies takes more time and gives nothing.
  const direction = await directionOf(small);
  const asked = direction === null ? await look() : null;
  let best = await recogniseTurned(engine, image, request, direction ?? turnsOf(asked));
  if (!looksTurned(best.words)) return { attempt: best, seen: asked };
  const seen = asked ?? (await look());
  for (const turn of new Set([turnsOf(seen), 0 as const])) {
    if (turn === best.turn) continue;
    const other = await recogniseTurned(engine, image, request, turn);
    if (legibility(other.words) > legibility(best.words)) best = other;
    if (!looksTurned(best.words)) break;
  }
  return { attempt: best, seen };
}

const turnsOf = (seen: OcrOrientation | null): QuarterTurns => ([0, 1, 2, 3] as const)[(seen?.degrees ?? 0) / 90] ?? 0;

async function recogniseTurned(
  engine: OcrEngine,
  image: GreyPicture,
  request: Reading,
  turn: QuarterTurns,
): Promise<Attempt> {
  const upright = turn === 0 ? image : await turnPicture(image, turn * 90);
  return { ...(await recogniseStraight(engine, upright, request)), turn };
}

/** Smaller angles are left to the layout, which only has words and lines to move, not pixels. */
const WORTH_TURNING = 0.8;

async function recogniseStraight(
  engine: OcrEngine,
  image: GreyPicture,
  request: Reading,
): Promise<Omit<Attempt, 'turn'>> {
  const angle = await measureSkew(image);
  const [skew, tilt] = Math.abs(angle) < WORTH_TURNING ? [0, angle] : [angle, 0];
  const grey = skew === 0 ? image : await turnPicture(image, skew);
  const words = await recogniseWell(engine, grey, request);
  return { words, grey, width: grey.width, height: grey.height, skew, tilt };
}

/** Above this the other arrangement hardly ever reads better. */
const WELL_READ = 0.75;

async function recogniseWell(engine: OcrEngine, grey: GreyPicture, request: Reading): Promise<OcrWord[]> {
  const words = await engine.recognise(grey, request);
  if (!request.retry || looksTurned(words) || meanConfidence(words) >= WELL_READ) return words;
  const arrangement = request.arrangement === 'block' ? 'columns' : 'block';
  const others = await engine.recognise(grey, { ...request, arrangement });
  return legibility(others) > legibility(words) ? others : words;
}

/** Upside-down pages are read with a confidence near 0.4, upright clean ones with 0.9, bad scans with 0.7. */
const UPRIGHT_CONFIDENCE = 0.65;

/** Low confidence, or words taller than wide: Tesseract reads lines that run upwards, but gives no order of them. */
function looksTurned(words: readonly OcrWord[]): boolean {
  const long = words.filter((word) => word.text.length >= 4);
  const standing = long.filter(({ bbox }) => bbox[3] - bbox[1] > 1.5 * (bbox[2] - bbox[0]));
  return words.length > 0 && (standing.length * 2 > long.length || meanConfidence(words) < UPRIGHT_CONFIDENCE);
}

/** How much was read with some certainty: characters times confidence; text that stands on its side counts little. */
function legibility(words: readonly OcrWord[]): number {
  const sure = words.filter((word) => word.confidence >= 0.5);
  const characters = sure.reduce((sum, word) => sum + word.text.length * word.confidence, 0);
  const long = sure.filter((word) => word.text.length >= 4);
  const lying = long.filter(({ bbox }) => bbox[3] - bbox[1] <= 1.5 * (bbox[2] - bbox[0]));
  return long.length > 0 ? (characters * lying.length) / long.length : characters;
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
