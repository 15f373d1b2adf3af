/** Documents that are uploaded, replaced, deleted and restored, and the check of what was acknowledged. */
import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { makePdf, TestPage } from '@quire/parse/formats/pdf/testing/make-pdf';
import { mapConcurrently } from '@quire/shared/map-concurrently';
import { loadFactor } from './load-factor.ts';
import type { Random } from './random.ts';
import type { Workspace } from './workspace.ts';

export interface Acknowledged {
  id: string;
  marker: string;
  /** Markers of earlier revisions, which must not be found once a later one is searchable. */
  replaced: string[];
  deleted: boolean;
  /** A request without an answer may have been carried out or not. */
  isUncertain: boolean;
}

interface DocumentState {
  status: string;
  error: { type: string } | null;
}

/**
 * A word of letters that resembles no other one: codes with digits are also found in parts, and a search for a word in
 * no document finds words that differ by a letter.
 */
function markerOf(number: number): string {
  const bytes = createHash('sha256').update(String(number)).digest().subarray(0, 12);
  return `zq${Array.from(bytes, (byte) => CONSONANTS[byte % CONSONANTS.length]).join('')}x`;
}

const CONSONANTS = 'bcdfghjklmnpqrstvwxz';
const LONG_TEXT_WORDS = 3_000;
/** Documents that are checked at the same time. */
const CHECKS = 6;
/** Time in which a process finds what another one has made ready, on an idle machine, in ms. */
const CATCH_UP_MS = 1_000;

/** Small texts and longer ones have a lane each. */
function contentOf(number: number): { marker: string; body: Record<string, string> } {
  const marker = markerOf(number);
  const content = number % 2 === 0 ? `${marker} is here` : `${marker} ${'lorem ipsum dolor '.repeat(LONG_TEXT_WORDS)}`;
  return { marker, body: { name: `${number}.md`, contentType: 'text/markdown', content } };
}

export class DocumentHistory {
  readonly #workspace: Workspace;
  readonly #random: Random;
  readonly #documents: Acknowledged[] = [];
  readonly #collection: string;
  #next: number;

  /** Numbers of documents, and so their markers, begin at `first`. */
  constructor(workspace: Workspace, random: Random, collection: string, first = 0) {
    this.#workspace = workspace;
    this.#random = random;
    this.#collection = `/col/${collection}/docs`;
    this.#next = first;
  }

  get acknowledged(): number {
    return this.#documents.length;
  }

  /** Sends one request of the load. Rejects if it failed, which promises nothing. */
  async act(): Promise<void> {
    const drawn = this.#random.next();
    if (this.#documents.length <= 10 || drawn < 0.75) {
      await this.upload();
      return;
    }
    const document = this.#random.pick(this.#documents);
    if (document.isUncertain) return;
    if (drawn < 0.85) await this.replace(document);
    else if (document.deleted) await this.#change(document, 'PUT', '/undelete', false);
    else await this.delete(document);
  }

  async upload(): Promise<Acknowledged> {
    const document = await this.#upload();
    this.#documents.push(document);
    return document;
  }

  async #upload(): Promise<Acknowledged> {
    const { marker, body } = contentOf(this.#next++);
    const { id } = await this.#workspace.request<{ id: string }>('POST', `${this.#collection}/raw`, body);
    return { id, marker, replaced: [], deleted: false, isUncertain: false };
  }

  /** Uploads a PDF, which a parser process reads. */
  async uploadPdf(): Promise<Acknowledged> {
    const marker = markerOf(this.#next++);
    const pdf = makePdf([new TestPage(600, 800).text(60, 100, `${marker} is here`)]);
    const form = new FormData();
    form.set('file', new Blob([new Uint8Array(pdf)], { type: 'application/pdf' }), `${marker}.pdf`);
    const url = `${this.#collection}/file-multipart`;
    const { id } = await this.#workspace.request<{ id: string }>('POST', url, form);
    const document = { id, marker, replaced: [], deleted: false, isUncertain: false };
    this.#documents.push(document);
    return document;
  }

  async replace(document: Acknowledged): Promise<void> {
    if (document.deleted) return;
    const { marker, body } = contentOf(this.#next++);
    document.isUncertain = true;
    await this.#workspace.request('PUT', `${this.#collection}/${document.id}/raw`, body);
    document.isUncertain = false;
    document.replaced.push(document.marker);
    document.marker = marker;
  }

  delete(document: Acknowledged): Promise<void> {
    return this.#change(document, 'DELETE', '', true);
  }

  async #change(document: Acknowledged, method: string, action: string, deleted: boolean): Promise<void> {
    document.isUncertain = true;
    await this.#workspace.request(method, `${this.#collection}/${document.id}${action}`);
    document.isUncertain = false;
    document.deleted = deleted;
  }

  /** Uploads a document and waits until it is ready; rejects after `limitMs`. Returns the time it took, in ms. */
  async probe(limitMs: number): Promise<number> {
    const startedAt = performance.now();
    // Recorded in the end, so that no client changes it before.
    let document: Acknowledged | undefined;
    let last = '';
    for (;;) {
      try {
        document ??= await this.#upload();
        const { status } = await this.#state(document.id);
        last = status;
        if (status === 'ready') {
          this.#documents.push(document);
          return performance.now() - startedAt;
        }
      } catch (error) {
        last = String(error);
      }
      if (performance.now() - startedAt > limitMs)
        throw new Error(`a new document was not ready ${limitMs / 1000} s after recovery: ${last}`);
      await delay(100);
    }
  }

  /** Whether a document's processing has ended. */
  async hasEnded({ id }: Acknowledged): Promise<boolean> {
    return (await this.#state(id)).status !== 'indexing';
  }

  #state(id: string): Promise<DocumentState> {
    return this.#workspace.request('GET', `${this.#collection}/${id}`);
  }

  /** Waits until every acknowledged document has ended, and returns the broken promises. */
  async check(until: number): Promise<string[]> {
    const faults = await mapConcurrently(this.#documents, CHECKS, async (document) => {
      const fault = await this.#checkOne(document, until);
      return fault === undefined ? [] : [`document ${document.id}: ${fault}`];
    });
    return faults.flat();
  }

  /** Final states by id, to be compared with the last event of each document. */
  states(): ReadonlyMap<string, { deleted: boolean }> {
    return new Map(this.#documents.filter((each) => !each.isUncertain).map((each) => [each.id, each]));
  }

  async #checkOne({ id, marker, replaced, deleted, isUncertain }: Acknowledged, until: number) {
    for (;;) {
      const { status, error } = await this.#state(id);
      if (status === 'failed') return `failed: ${error?.type ?? ''}`;
      if (isUncertain && status !== 'indexing') return undefined;
      if (deleted) {
        if (status !== 'deleted') return `deleted, but it is ${status}`;
        return (await this.#finds(id, marker)) ? 'deleted, but found' : undefined;
      }
      if (status === 'deleted') return 'acknowledged, but deleted';
      if (status === 'ready') {
        if (!(await this.#findsInTime(id, marker))) return 'ready, but not found';
        for (const old of replaced) if (await this.#finds(id, old)) return 'found by text that was replaced';
        return undefined;
      }
      if (performance.now() > until) return `still ${status}`;
      await delay(200);
    }
  }

  /** In one process a ready document is found at once; a process finds those of another one a little later. */
  async #findsInTime(id: string, marker: string): Promise<boolean> {
    const { isSplit } = this.#workspace;
    const until = performance.now() + (isSplit ? CATCH_UP_MS * loadFactor() : 0);
    for (;;) {
      if (await this.#finds(id, marker)) return true;
      if (performance.now() > until) return false;
      await delay(50);
    }
  }

  async #finds(id: string, marker: string): Promise<boolean> {
    const search = { query: marker, mode: 'sparse', limit: 20 };
    const url = `${this.#collection.replace(/\/docs$/, '')}/search`;
    const { hits } = await this.#workspace.request<{ hits: { documentId: string }[] }>('POST', url, search);
    return hits.some(({ documentId }) => documentId === id);
  }
}
