/** Output files of runs, for download. Thumbnails of inputs are rendered on request. */
import type { RunFile, RunRecord } from '../../database/tables.ts';
import { notFound } from '../../errors.ts';
import { storageKeys } from '../../storage/layout.ts';
import type { ObjectStore } from '../../storage/object-store.ts';
import { inMemory, type Artifact } from '../documents/artifact.ts';

export interface RunOutputsDeps {
  store: ObjectStore;
  /** Renders the first page of a file; null if it has no picture. */
  drawThumbnail: (run: RunRecord, file: RunFile) => Promise<Buffer | null>;
}

const THUMBNAIL = /^([1-9]\d{0,5})\/thumbnail\.webp$/;

/** Returns the path of a thumbnail; `fileNumber` counts the outcome's files from 1. */
export const thumbnailPath = (fileNumber: number): string => `${fileNumber}/thumbnail.webp`;

export class RunOutputs {
  readonly #deps: RunOutputsDeps;

  constructor(deps: RunOutputsDeps) {
    this.#deps = deps;
  }

  /** Returns an output file; throws 404 if the run has none of this path or it was deleted. */
  async get(run: RunRecord, path: string): Promise<Artifact> {
    const output = run.outcome?.files.flatMap(({ outputs }) => outputs).find((each) => each.path === path);
    const name = path.slice(path.lastIndexOf('/') + 1);
    // A run ends once, and its outputs do not change.
    const etag = `"${run.id}-${encodeURIComponent(path)}"`;
    if (output === undefined) {
      return inMemory(name, 'image/webp', etag, await this.#thumbnail(run, path));
    }
    const { contentType, sizeBytes, key, text } = output;
    if (text !== null) return inMemory(name, contentType, etag, Buffer.from(text));
    const open: Artifact['open'] = async (range) => {
      const stream = await this.#deps.store.get(storageKeys.runOutput(run, key ?? ''), range);
      if (stream === undefined) throw notFound();
      return stream;
    };
    return { name, contentType, sizeBytes, etag, open };
  }

  async #thumbnail(run: RunRecord, path: string): Promise<Buffer> {
    const number = THUMBNAIL.exec(path)?.[1];
    const outcome = run.outcome?.files[Number(number) - 1];
    const file = run.files.find(({ id }) => id === outcome?.fileId);
    const picture = file === undefined ? null : await this.#deps.drawThumbnail(run, file);
    if (picture === null) throw notFound();
    return picture;
  }
}
