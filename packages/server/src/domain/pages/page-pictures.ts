/**
 * Pictures of the pages of stored files. Whole pages are kept in the picture cache; crops and marks are made from them
 * for each request. Concurrent requests for one picture draw it once, and a failure is remembered for some minutes.
 */
import { createHash } from 'node:crypto';
import type { BoundingBox } from '@quire/blocks/block';
import { ContentError } from '@quire/blocks/content-error';
import { PICTURE_TYPE } from '@quire/parse/page-pictures/encode-picture';
import type { PageSize } from '@quire/parse/page-pictures/list-pages';
import type { SandboxClient } from '@quire/process/tasks/sandbox-client';
import { RememberedFailures } from '../../shared/remembered-failures.ts';
import { inMemory, type Artifact } from '../documents/artifact.ts';
import { noPicture, UNABORTED, type PageDrawing } from './page-drawing.ts';
import type { PageSource } from './page-source.ts';
import type { PictureCache } from './picture-cache.ts';

export interface PictureRequest {
  /** Page number from 1. */
  page: number;
  /** Width of the whole page in pixels; a crop is cut out of it. Images are not enlarged. */
  width: number;
  boxes: readonly BoundingBox[];
  /** Whether the boxes are marked on the whole page; otherwise the picture is cropped to the area that holds them. */
  mark: boolean;
}

/** `stored`: read from the cache. */
export type PictureOutcome = 'stored' | 'drawn' | 'failed';

export interface PagePicturesDeps {
  cache: Pick<PictureCache, 'get' | 'put'>;
  drawing: Pick<PageDrawing, 'list' | 'draw'>;
  sandbox: Pick<SandboxClient, 'markPicture'>;
  /** Time in ms since the epoch. */
  now: () => number;
  observe: (outcome: PictureOutcome, seconds: number) => void;
  /** Called if a picture could not be stored; it is sent anyway. */
  onNotStored: (error: unknown) => void;
}

export class PagePictures {
  readonly #deps: PagePicturesDeps;
  readonly #pending = new Map<string, Promise<Buffer>>();
  readonly #failures: RememberedFailures;

  constructor(deps: PagePicturesDeps) {
    this.#deps = deps;
    this.#failures = new RememberedFailures(deps.now);
  }

  /** Returns the pages and their sizes. Throws 404 `no_picture` if they cannot be drawn. */
  async pages(source: PageSource): Promise<PageSize[]> {
    const list = await this.#stored(`${source.pictures}pages.json`, async () =>
      Buffer.from(JSON.stringify(await this.#deps.drawing.list(source))),
    );
    return JSON.parse(list.toString()) as PageSize[];
  }

  /** Returns the entity tag of a picture, without drawing it. */
  tag({ contentId }: PageSource, { page, width, boxes, mark }: PictureRequest): string {
    const marks = createHash('sha256')
      .update(JSON.stringify([boxes, mark]))
      .digest('base64url')
      .slice(0, 12);
    return `"${contentId}-page-${page}-${width}${boxes.length === 0 ? '' : `-${marks}`}"`;
  }

  /** Returns a picture. Throws 404: `not_found` if there is no such page, `no_picture` if it cannot be drawn. */
  async picture(source: PageSource, request: PictureRequest): Promise<Artifact> {
    const { page, width, boxes, mark } = request;
    const etag = this.tag(source, request);
    const whole = await this.#stored(`${source.pictures}${page}-${width}.webp`, () =>
      this.#deps.drawing.draw(source, page, width),
    );
    const bytes =
      boxes.length === 0
        ? whole
        : await this.#once(etag, async () =>
            Buffer.from(await this.#deps.sandbox.markPicture({ picture: whole, boxes, mark }, { signal: UNABORTED })),
          );
    return inMemory(`${source.file.name}-${page}.webp`, PICTURE_TYPE, etag, bytes);
  }

  /** Returns the bytes of `key` from the cache, or makes and stores them. */
  async #stored(key: string, make: () => Promise<Buffer>): Promise<Buffer> {
    return this.#once(key, async () => {
      const startedAt = this.#deps.now();
      const seconds = (): number => (this.#deps.now() - startedAt) / 1000;
      const kept = await this.#deps.cache.get(key);
      if (kept !== undefined) {
        this.#deps.observe('stored', seconds());
        return kept;
      }
      this.#failures.throwKnown(key);
      try {
        const made = await make();
        this.#deps.observe('drawn', seconds());
        await this.#deps.cache.put(key, made).catch(this.#deps.onNotStored);
        return made;
      } catch (error) {
        this.#deps.observe('failed', seconds());
        throw this.#remember(key, error);
      }
    });
  }

  /** Shares the result of concurrent calls with the same key. */
  #once(key: string, make: () => Promise<Buffer>): Promise<Buffer> {
    const pending = this.#pending.get(key);
    if (pending !== undefined) return pending;
    const made = make().finally(() => this.#pending.delete(key));
    this.#pending.set(key, made);
    return made;
  }

  /** Returns the error of the answer. A failure that is caused by the file is remembered. */
  #remember(key: string, error: unknown): unknown {
    if (!(error instanceof ContentError)) return error;
    const answer = noPicture(error.type, `The page cannot be drawn: ${error.message}`);
    this.#failures.remember(key, answer);
    return answer;
  }
}
