/**
 * Stores the outputs of modules: small texts and JSON in the outcome itself, everything else in the object store with a
 * reference in the outcome.
 */
import { readFile, stat } from 'node:fs/promises';
import type { ModuleOutcome, RunOutput } from './outcome.ts';
import type { ModuleOutput } from './module.ts';

/** Maximum size of an inline text or result in bytes (CONTRACT section 7). */
export const INLINE_BYTES = 256_000;
/** Maximum total size in bytes of the inline texts and results of a run. Later ones go to the object store. */
const INLINE_BYTES_OF_RUN = 4_000_000;
const INLINE_TYPES = /^(?:text\/|application\/json\b)/;

export type StoreContent = (content: ModuleOutput['content']) => Promise<string>;

export class RunOutputs {
  readonly #store: StoreContent;
  readonly #paths = new Set<string>();
  #budget = INLINE_BYTES_OF_RUN;

  /** `store` keeps content durably and resolves to its key. */
  constructor(store: StoreContent) {
    this.#store = store;
  }

  /** Stores an output. `fileNumber` counts the run's files from 1. */
  async addOutput(fileNumber: number, output: Omit<ModuleOutput, 'field'>): Promise<RunOutput> {
    const { contentType, content } = output;
    const sizeBytes = Buffer.isBuffer(content) ? content.length : (await stat(content.path)).size;
    const path = this.#claimPath(fileNumber, output.name);
    const text = await this.#inlineText(contentType, content, sizeBytes);
    const key = text === null ? await this.#store(content) : null;
    return { path, contentType, sizeBytes, key, text };
  }

  /** Returns the result for the outcome. Fields that are too large become outputs. */
  async addResult(
    fileNumber: number,
    module: string,
    result: object,
  ): Promise<{ outcome: ModuleOutcome; outputs: RunOutput[] }> {
    const fields = Object.entries(result)
      .map(([field, value]) => ({ field, value: value as unknown, json: JSON.stringify(value) ?? '' }))
      .filter(({ json }) => json !== '');
    const outcome: ModuleOutcome = { result: {}, references: {} };
    const outputs: RunOutput[] = [];
    const large = this.#pickLarge(fields);
    for (const entry of fields) {
      if (large.has(entry.field)) {
        const output = await this.addOutput(fileNumber, fieldOutput(module, entry));
        outputs.push(output);
        outcome.references[entry.field] = output.path;
      } else {
        outcome.result[entry.field] = entry.value;
      }
    }
    return { outcome, outputs };
  }

  /** Returns the fields to store as outputs: the largest first, until the rest fits. */
  #pickLarge(fields: readonly { field: string; json: string }[]): Set<string> {
    const large = new Set<string>();
    let bytes = fields.reduce((sum, { json }) => sum + json.length, 0);
    for (const { field, json } of fields.toSorted((a, b) => b.json.length - a.json.length)) {
      if (bytes <= Math.min(INLINE_BYTES, this.#budget)) break;
      large.add(field);
      bytes -= json.length;
    }
    this.#budget -= bytes;
    return large;
  }

  async #inlineText(contentType: string, content: ModuleOutput['content'], sizeBytes: number): Promise<string | null> {
    if (sizeBytes > Math.min(INLINE_BYTES, this.#budget) || !INLINE_TYPES.test(contentType)) return null;
    const bytes = Buffer.isBuffer(content) ? content : await readFile(content.path);
    try {
      const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
      this.#budget -= sizeBytes;
      return text;
    } catch {
      return null;
    }
  }

  /** Returns a unique path that consists of characters that need no escape in a URL. */
  #claimPath(fileNumber: number, name: string): string {
    const safe = name.replaceAll(/[^\w.-]+/g, '_').replace(/^\.+/, '') || 'output';
    for (let copy = 1; ; copy += 1) {
      const path = copy === 1 ? `${fileNumber}/${safe}` : `${fileNumber}/${copy}-${safe}`;
      if (this.#paths.has(path)) continue;
      this.#paths.add(path);
      return path;
    }
  }
}

function fieldOutput(module: string, { field, value, json }: { field: string; value: unknown; json: string }) {
  return typeof value === 'string'
    ? { name: `${module}.${field}.txt`, contentType: 'text/plain; charset=utf-8', content: Buffer.from(value) }
    : { name: `${module}.${field}.json`, contentType: 'application/json', content: Buffer.from(json) };
}
