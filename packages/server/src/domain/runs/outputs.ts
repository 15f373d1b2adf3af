/** The files that runs made, for download. */
import type { RunRecord } from '../../database/tables.ts';
import { notFound } from '../../errors.ts';
import { storageKeys } from '../../storage/layout.ts';
import type { ObjectStore } from '../../storage/object-store.ts';
import type { Artifact } from '../documents/content.ts';

export interface RunOutputsDeps {
  store: ObjectStore;
}

export class RunOutputs {
  readonly #deps: RunOutputsDeps;

  constructor(deps: RunOutputsDeps) {
    this.#deps = deps;
  }

  /** Throws 404 when the run made no such file, or it is deleted. */
  get(run: RunRecord, path: string): Artifact {
    const output = run.outcome?.files.flatMap(({ outputs }) => outputs).find((each) => each.path === path);
    if (output === undefined) throw notFound();
    const { contentType, sizeBytes, key, text } = output;
    const name = path.slice(path.lastIndexOf('/') + 1);
    // A run ends once, and its outputs never change.
    const etag = `"${run.id}-${path}"`;
    const bytes = text === null ? null : Buffer.from(text);
    const open: Artifact['open'] = async (range) => {
      if (bytes !== null) return range === undefined ? bytes : bytes.subarray(range[0], range[1] + 1);
      const stream = await this.#deps.store.get(storageKeys.runOutput(run, key ?? ''), range);
      if (stream === undefined) throw notFound();
      return stream;
    };
    return { name, contentType, sizeBytes, etag, open };
  }
}
