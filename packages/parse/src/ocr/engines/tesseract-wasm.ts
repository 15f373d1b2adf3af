/**
 * OCR by Tesseract as WebAssembly; English and orientation data come as npm packages. Models run in a worker thread of
 * the sandboxed child. Nothing is downloaded: a language that is neither packaged nor in the configured folder is an
 * error.
 */
import { access } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Worker as TesseractWorker, WorkerOptions } from 'tesseract.js';
import { toPgm, type GreyPicture } from '../image/grey-picture.ts';
import type { OcrEngine, OcrOptions, OcrOrientation, OcrWord } from './ocr-engine.ts';
import { missingLanguageError } from './tesseract-program.ts';
import { MIN_OSD_CHARACTERS, MIN_SCRIPT_CHARACTERS } from './scripts.ts';
import { parseTesseractTsv } from './tesseract-tsv.ts';

const require = createRequire(import.meta.url);

/** Package variant: the `best` model with integer weights. */
const PACKAGED_VARIANT = '4.0.0_best_int';
const PACKAGED_LANGUAGE = 'eng';

interface WasmSettings {
  /** Folder with `<language>.traineddata` files (not gzipped); null for packaged languages only. */
  tessdataDir: string | null;
}

export function createWasmEngine(settings: WasmSettings): OcrEngine {
  return new TesseractWasm(settings.tessdataDir);
}

class TesseractWasm implements OcrEngine {
  readonly name = 'tesseract-wasm';
  readonly scripts: readonly string[] = [];
  private readonly tessdataDir: string | null;
  private reader: { languages: string; thread: OcrThread } | null = null;
  private orientationThread: OcrThread | null = null;

  constructor(tessdataDir: string | null) {
    this.tessdataDir = tessdataDir;
  }

  async recognise(image: GreyPicture, options: OcrOptions): Promise<OcrWord[]> {
    const thread = await this.readerFor(options.languages);
    const dpi = String(image.dpi ?? 300);
    const tsv = await this.guarded(thread, options.signal, async (worker) => {
      const { PSM } = await import('tesseract.js');
      const mode = options.arrangement === 'block' ? PSM.SINGLE_BLOCK : PSM.AUTO;
      await worker.setParameters({ user_defined_dpi: dpi, tessedit_pageseg_mode: mode });
      const { data } = await worker.recognize(toPgm(image), {}, { text: false, tsv: true });
      return data.tsv ?? '';
    });
    return parseTesseractTsv(tsv);
  }

  async orientation(image: GreyPicture, signal: AbortSignal): Promise<OcrOrientation | null> {
    this.orientationThread ??= await startThread(['osd'], packagedFolder('osd'), this.tessdataDir, 'legacy');
    const { data } = await this.guarded(this.orientationThread, signal, async (worker) => {
      const pgm = toPgm(image);
      const detect = async (minCharacters: number): ReturnType<TesseractWorker['detect']> => {
        await worker.setParameters({
          user_defined_dpi: String(image.dpi ?? 300),
          min_characters_to_try: String(minCharacters),
        });
        return worker.detect(pgm);
      };
      const found = await detect(MIN_OSD_CHARACTERS);
      if (found.data.orientation_degrees !== null) return found;
      const guess = await detect(MIN_SCRIPT_CHARACTERS);
      return {
        ...guess,
        data: { ...guess.data, orientation_degrees: guess.data.orientation_degrees === null ? null : 0 },
      };
    });
    const degrees = ([0, 90, 180, 270] as const).find((turn) => turn === data.orientation_degrees);
    if (degrees === undefined) return null;
    const { orientation_confidence: confidence, script, script_confidence: scriptConfidence } = data;
    return { degrees, confidence: confidence ?? 0, script: script ?? '', scriptConfidence: scriptConfidence ?? 0 };
  }

  async close(): Promise<void> {
    const threads = [this.reader?.thread, this.orientationThread].filter((thread) => thread != null);
    this.reader = null;
    this.orientationThread = null;
    await Promise.all(threads.map((thread) => thread.stop()));
  }

  /** Returns the thread for a set of languages; loading another set replaces the model. */
  private async readerFor(languages: readonly string[]): Promise<OcrThread> {
    const key = languages.join('+');
    if (this.reader?.languages === key) return this.reader.thread;
    await this.reader?.thread.stop();
    this.reader = null;
    for (const language of languages) await this.requireLanguage(language);
    const thread = await startThread(languages, packagedFolder(PACKAGED_LANGUAGE), this.tessdataDir, 'lstm');
    this.reader = { languages: key, thread };
    return thread;
  }

  private async requireLanguage(language: string): Promise<void> {
    if (language === PACKAGED_LANGUAGE) return;
    if (this.tessdataDir === null || !/^\w+$/.test(language)) throw missingLanguageError(language);
    await access(join(this.tessdataDir, `${language}.traineddata`)).catch(() => {
      throw missingLanguageError(language);
    });
  }

  /** Runs a job on a thread. A thread that is interrupted or fails is not reused. */
  private async guarded<T>(thread: OcrThread, signal: AbortSignal, job: (worker: TesseractWorker) => Promise<T>) {
    signal.throwIfAborted();
    const aborted = withRejection();
    const onAbort = (): void => aborted.reject(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    thread.inner?.ref();
    try {
      return await Promise.race([job(thread.worker), thread.failed, aborted.promise]);
    } catch (error) {
      await this.close();
      throw error;
    } finally {
      thread.inner?.unref();
      signal.removeEventListener('abort', onAbort);
    }
  }
}

interface OcrThread {
  worker: TesseractWorker;
  /** Underlying worker thread, unreferenced while idle so that it does not keep the process alive. */
  inner: Worker | null;
  /** Rejects if the thread reports an error or exits; never resolves. */
  failed: Promise<never>;
  stop(): Promise<void>;
}

/**
 * Starts a thread. tesseract.js looks for `<cachePath>/<language>.traineddata` first and for the gzipped package file
 * second. `createWorker` never settles if a language fails to load, so it is raced with its error handler.
 */
async function startThread(
  languages: readonly string[],
  packaged: string,
  tessdataDir: string | null,
  engine: 'lstm' | 'legacy',
): Promise<OcrThread> {
  const { createWorker, OEM } = await import('tesseract.js');
  const failure = withRejection();
  const legacy = engine === 'legacy';
  const options: Partial<WorkerOptions> = {
    langPath: packaged,
    gzip: true,
    cacheMethod: tessdataDir === null ? 'none' : 'readOnly',
    legacyCore: legacy,
    legacyLang: legacy,
    errorHandler: (error: unknown) => failure.reject(new Error(`Tesseract: ${String(error)}`)),
    ...(tessdataDir === null ? {} : { cachePath: tessdataDir }),
  };
  const worker = await Promise.race([
    createWorker([...languages], legacy ? OEM.TESSERACT_ONLY : OEM.LSTM_ONLY, options),
    failure.promise,
  ]);
  const inner: unknown = Reflect.get(worker, 'worker');
  if (inner instanceof Worker) {
    inner.on('error', failure.reject);
    inner.unref();
  }
  return {
    worker,
    inner: inner instanceof Worker ? inner : null,
    failed: failure.promise,
    stop: async () => {
      await worker.terminate();
    },
  };
}

/** Returns a promise that can only reject and needs no handler. */
function withRejection(): { promise: Promise<never>; reject: (reason: unknown) => void } {
  let reject: ((reason: unknown) => void) | undefined;
  const promise = new Promise<never>((_, refuse) => {
    reject = refuse;
  });
  promise.catch(() => {});
  return { promise, reject: (reason) => reject?.(reason) };
}

function packagedFolder(language: string): string {
  return join(dirname(require.resolve(`@tesseract.js-data/${language}/package.json`)), PACKAGED_VARIANT);
}
