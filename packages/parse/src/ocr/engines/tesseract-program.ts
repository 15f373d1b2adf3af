/**
 * OCR by the `tesseract` program on PATH, about 1.7 times as fast as the WASM build. Starts one process per picture,
 * connected through pipes and killed when the signal fires.
 */
import { spawn } from 'node:child_process';
import { ContentError } from '@quire/blocks/content-error';
import { toPgm, type GreyPicture } from '../image/grey-picture.ts';
import type { OcrEngine, OcrOptions, OcrOrientation, OcrWord } from './ocr-engine.ts';
import { MIN_OSD_CHARACTERS, MIN_SCRIPT_CHARACTERS } from './scripts.ts';
import { parseTesseractTsv } from './tesseract-tsv.ts';

/** Minimum major version; older ones have no LSTM models and other TSV columns. */
const OLDEST_MAJOR = 4;
/** Maximum output size in bytes; a dense page has about 300 kB of TSV. */
const MAX_OUTPUT_BYTES = 16 * 1024 * 1024;

interface ProgramSettings {
  /** Folder with `<language>.traineddata` files; null for the program's own folder. */
  tessdataDir: string | null;
}

/** Finds a usable `tesseract` on PATH; null if there is none. */
export async function findTesseractProgram(settings: ProgramSettings): Promise<TesseractProgram | null> {
  try {
    const version = await run(['--version'], null, undefined);
    const major = /^tesseract v?(\d+)\./m.exec(version)?.[1];
    if (major === undefined || Number(major) < OLDEST_MAJOR) return null;
    const own = await listLanguages([]);
    if (settings.tessdataDir === null) return new TesseractProgram(own, null, new Set());
    const folder = settings.tessdataDir;
    return new TesseractProgram(own, folder, await listLanguages(['--tessdata-dir', folder]).catch(() => new Set()));
  } catch {
    return null;
  }
}

export class TesseractProgram implements OcrEngine {
  readonly name = 'tesseract-program';
  readonly scripts: readonly string[] = [];
  private readonly ownLanguages: ReadonlySet<string>;
  private readonly folder: string | null;
  private readonly folderLanguages: ReadonlySet<string>;

  constructor(ownLanguages: ReadonlySet<string>, folder: string | null, folderLanguages: ReadonlySet<string>) {
    this.ownLanguages = ownLanguages;
    this.folder = folder;
    this.folderLanguages = folderLanguages;
  }

  /** Returns the first language without installed data; null if all are installed. */
  missingLanguage(languages: readonly string[]): string | null {
    const inFolder = languages.every((language) => this.folderLanguages.has(language));
    return inFolder ? null : (languages.find((language) => !this.ownLanguages.has(language)) ?? null);
  }

  async recognise(image: GreyPicture, options: OcrOptions): Promise<OcrWord[]> {
    const missing = this.missingLanguage(options.languages);
    if (missing !== null) throw missingLanguageError(missing);
    const dpi = ['--dpi', String(image.dpi ?? 300)];
    const mode = options.arrangement === 'block' ? ['--psm', '6'] : [];
    const args = [
      'stdin',
      'stdout',
      ...mode,
      ...this.dataFolder(options.languages),
      '-l',
      options.languages.join('+'),
      ...dpi,
    ];
    // The config file named `tsv` may be missing in a language data folder, so the variable is set directly.
    const output = ['-c', 'tessedit_create_tsv=1'];
    return parseTesseractTsv(await run([...args, ...output], toPgm(image), options.signal));
  }

  async orientation(image: GreyPicture, signal: AbortSignal): Promise<OcrOrientation | null> {
    if (this.missingLanguage(['osd']) !== null) return null;
    const found = await this.detect(image, MIN_OSD_CHARACTERS, signal);
    if (found !== null) return found;
    const guess = await this.detect(image, MIN_SCRIPT_CHARACTERS, signal);
    return guess === null ? null : { ...guess, degrees: 0 };
  }

  async close(): Promise<void> {}

  private async detect(image: GreyPicture, minCharacters: number, signal: AbortSignal): Promise<OcrOrientation | null> {
    const minimum = ['-c', `min_characters_to_try=${minCharacters}`];
    const args = ['stdin', 'stdout', ...this.dataFolder(['osd']), '--psm', '0', '--dpi', String(image.dpi ?? 300)];
    try {
      return parseOrientation(await run([...args, ...minimum], toPgm(image), signal));
    } catch (error) {
      // The program exits with 1 for too few characters; cancellation is rethrown.
      signal.throwIfAborted();
      if (error instanceof ContentError) throw error;
      return null;
    }
  }

  private dataFolder(languages: readonly string[]): string[] {
    const inFolder = this.folder !== null && languages.every((language) => this.folderLanguages.has(language));
    return inFolder && this.folder !== null ? ['--tessdata-dir', this.folder] : [];
  }
}

export function missingLanguageError(language: string): ContentError {
  return new ContentError('unsupported', `The OCR language "${language}" is not installed on this server`);
}

function parseOrientation(report: string): OcrOrientation | null {
  const degrees = Number(/^Rotate: (\d+)/m.exec(report)?.[1]);
  const confidence = Number(/^Orientation confidence: ([\d.]+)/m.exec(report)?.[1]);
  const quarter = ([0, 90, 180, 270] as const).find((turn) => turn === degrees);
  if (quarter === undefined || Number.isNaN(confidence)) return null;
  const script = /^Script: (\S+)/m.exec(report)?.[1] ?? '';
  const scriptConfidence = Number(/^Script confidence: ([\d.]+)/m.exec(report)?.[1] ?? 0);
  return { degrees: quarter, confidence, script, scriptConfidence };
}

async function listLanguages(folder: readonly string[]): Promise<Set<string>> {
  const listing = await run([...folder, '--list-langs'], null, undefined);
  return new Set(
    listing
      .split('\n')
      .slice(1)
      .map((line) => line.trim())
      .filter((line) => line !== ''),
  );
}

/**
 * Environment of the program, limited because the environment may hold secrets. One thread, because parsers run in
 * parallel.
 */
const ENVIRONMENT = Object.fromEntries(
  [
    ...['PATH', 'TESSDATA_PREFIX', 'SYSTEMROOT'].map((name) => [name, process.env[name]]),
    ['OMP_THREAD_LIMIT', '1'],
  ].filter(([, value]) => value !== undefined),
);

function run(args: readonly string[], input: Buffer | null, signal: AbortSignal | undefined): Promise<string> {
  signal?.throwIfAborted();
  return new Promise((resolve, reject) => {
    const child = spawn('tesseract', args, {
      env: ENVIRONMENT,
      stdio: ['pipe', 'pipe', 'ignore'],
      killSignal: 'SIGKILL',
      ...(signal === undefined ? {} : { signal }),
    });
    const parts: Buffer[] = [];
    let size = 0;
    child.stdout.on('data', (part: Buffer) => {
      size += part.length;
      if (size > MAX_OUTPUT_BYTES) child.kill('SIGKILL');
      else parts.push(part);
    });
    // A program that exits early closes its pipe; its exit code reports the failure.
    child.stdin.on('error', () => {});
    child.stdin.end(input ?? undefined);
    child.on('error', (error) => reject(signal?.aborted ? signal.reason : error));
    child.on('close', (code) => {
      if (code === 0) resolve(Buffer.concat(parts).toString('utf8'));
      else reject(new Error(`tesseract ended with ${code ?? 'a signal'}`));
    });
  });
}
