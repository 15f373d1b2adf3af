/**
 * OCR by PP-OCR: a detector finds the lines of a picture, a recogniser reads each line. It covers Latin, Chinese and
 * Japanese script without naming a language. Both models run in this process by onnxruntime.
 *
 * Lines are recognised one by one: on a CPU, batches took 1.1 to 1.3 times as long for each line, and more memory.
 */
import type { InferenceSession } from 'onnxruntime-node';
import type { GreyPicture } from '../../image/grey-picture.ts';
import { UNREAD_CHARACTER, type OcrEngine, type OcrOptions, type OcrWord } from '../ocr-engine.ts';
import { missingLanguageError } from '../tesseract-program.ts';
import { cutLine, type LinePicture } from './cut-line.ts';
import type { Character } from './decode-line.ts';
import { detectLines } from './detector.ts';
import { PP_OCR_SCRIPTS, readsLanguage } from './languages.ts';
import { LetterWidths } from './letter-widths.ts';
import type { LineRegion } from './line-regions.ts';
import { wordsOfLine } from './line-words.ts';
import type { PpOcrFiles } from './model-files.ts';
import { rowsOfLines } from './order-lines.ts';
import { recogniseLine } from './recogniser.ts';

/** Mean confidence of a line's characters below which it is not text. */
const MIN_CONFIDENCE = 0.5;
/**
 * Characters per square of a line. Clean print has 1 and more in any script that is read; of other scripts the
 * recogniser finds 0 to 0.1, for it answers "no character" rather than a wrong one.
 */
const MIN_DENSITY = 0.25;
/** Minimum ratio of length to height of a line whose density is judged; shorter ones may be symbols. */
const MIN_JUDGED_ASPECT = 3;
/** Ratio of height to width from which a line runs from top to bottom. */
const VERTICAL = 1.5;

/** One thread, because parsers run in parallel. Without the arena, memory is returned after each picture. */
const SESSION_OPTIONS: InferenceSession.SessionOptions = {
  intraOpNumThreads: 1,
  interOpNumThreads: 1,
  enableCpuMemArena: false,
  enableMemPattern: false,
  extra: { session: { intra_op: { allow_spinning: '0' } } },
};

interface Models {
  detector: InferenceSession;
  recogniser: InferenceSession;
}

type LineWords = Pick<OcrWord, 'text' | 'bbox' | 'confidence'>[];

export class PpOcr implements OcrEngine {
  readonly name = 'pp-ocr';
  readonly scripts = PP_OCR_SCRIPTS;
  readonly #files: PpOcrFiles;
  readonly #orientation: OcrEngine['orientation'];
  #models: Promise<Models> | null = null;
  /** The picture read last: another arrangement of its lines needs no second recognition. */
  #last: { image: GreyPicture; rows: LineWords[][] } | null = null;

  /** `orientation` detects rotation and script, which PP-OCR does not. */
  constructor(files: PpOcrFiles, orientation: OcrEngine['orientation']) {
    this.#files = files;
    this.#orientation = orientation;
  }

  async recognise(image: GreyPicture, { arrangement, languages, signal }: OcrOptions): Promise<OcrWord[]> {
    signal.throwIfAborted();
    const unread = languages.find((language) => !readsLanguage(language));
    if (unread !== undefined) throw missingLanguageError(unread);
    if (this.#last?.image !== image) this.#last = { image, rows: await this.#readRows(image, signal) };
    let count = 0;
    return this.#last.rows.flatMap((row, block) =>
      row.flatMap((words) => {
        const line = arrangement === 'block' ? block : count++;
        return words.map((word) => ({ ...word, line, block: 0 }));
      }),
    );
  }

  async #readRows(image: GreyPicture, signal: AbortSignal): Promise<LineWords[][]> {
    this.#models ??= loadModels(this.#files);
    const { detector, recogniser } = await this.#models;
    const rows: LineWords[][] = [];
    const widths = new LetterWidths();
    for (const regions of rowsOfLines(await detectLines(this.#files.runtime, detector, image))) {
      const row: LineWords[] = [];
      for (const region of regions) {
        signal.throwIfAborted();
        row.push(await this.#readLine(recogniser, image, region, widths));
      }
      rows.push(row);
    }
    return rows;
  }

  orientation(...parameters: Parameters<OcrEngine['orientation']>): ReturnType<OcrEngine['orientation']> {
    return this.#orientation(...parameters);
  }

  async close(): Promise<void> {
    const models = await this.#models;
    this.#models = null;
    this.#last = null;
    await models?.detector.release();
    await models?.recogniser.release();
  }

  /** Reads a line, and again if its letters turn out too narrow; the surer reading counts. */
  async #readCharacters(
    recogniser: InferenceSession,
    image: GreyPicture,
    region: LineRegion,
    widths: LetterWidths,
  ): Promise<{ line: LinePicture; characters: Character[] }> {
    const { runtime, characters: alphabet } = this.#files;
    const isVertical = region.height > VERTICAL * region.width;
    const read = async (compression: number): Promise<{ line: LinePicture; characters: Character[] }> => {
      const line = cutLine(image, region, isVertical, compression);
      return { line, characters: await recogniseLine(runtime, recogniser, line, alphabet) };
    };
    const compression = widths.compression();
    const first = await read(compression);
    const aspect = isVertical ? region.height / region.width : region.width / region.height;
    const wider = widths.retry(first.characters, aspect, compression);
    if (wider === null) return first;
    const second = await read(wider);
    return sumOfConfidences(second.characters) >= sumOfConfidences(first.characters) ? second : first;
  }

  async #readLine(
    recogniser: InferenceSession,
    image: GreyPicture,
    region: LineRegion,
    widths: LetterWidths,
  ): Promise<LineWords> {
    const aspect = Math.max(region.width, region.height) / Math.min(region.width, region.height);
    const { line, characters } = await this.#readCharacters(recogniser, image, region, widths);
    const sum = sumOfConfidences(characters);
    const read = characters.filter(({ text }) => text.trim() !== '').length;
    if (aspect >= MIN_JUDGED_ASPECT && read < MIN_DENSITY * aspect) return [unreadWord(region, aspect)];
    if (sum < MIN_CONFIDENCE * characters.length) return aspect < MIN_JUDGED_ASPECT ? [] : [unreadWord(region, aspect)];
    return wordsOfLine(characters, line);
  }
}

const sumOfConfidences = (characters: readonly Character[]): number =>
  characters.reduce((sum, { confidence }) => sum + confidence, 0);

/** Returns a placeholder of a line that was found but not read, about a character per square. */
function unreadWord(
  { x, y, width, height }: LineRegion,
  aspect: number,
): Pick<OcrWord, 'text' | 'bbox' | 'confidence'> {
  const bbox: OcrWord['bbox'] = [x, y - height / 2, x + width, y + height / 2];
  return { text: UNREAD_CHARACTER.repeat(Math.round(aspect)), bbox, confidence: 0 };
}

async function loadModels({ runtime, detector, recogniser }: PpOcrFiles): Promise<Models> {
  return {
    detector: await runtime.InferenceSession.create(detector, SESSION_OPTIONS),
    recogniser: await runtime.InferenceSession.create(recogniser, SESSION_OPTIONS),
  };
}
