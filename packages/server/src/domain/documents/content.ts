/** The content of a document: chunks, block tree, artifacts, and signed links to artifacts. */
import { gunzip } from 'node:zlib';
import { promisify } from 'node:util';
import { buffer } from 'node:stream/consumers';
import type { Kysely } from 'kysely';
import { toHtml } from '@quire/blocks/to-html';
import { toMarkdown } from '@quire/blocks/to-markdown';
import type { DocumentTree } from '@quire/blocks/block';
import type { ChunkRecord, Database, DocumentRecord } from '../../database/tables.ts';
import { writePendingAudit } from '../audit/with-audits.ts';
import { notFound } from '../../errors.ts';
import { sparseVector, type SparseVector } from '@quire/text/language/sparse-vector';
import { fromFloat16 } from '@quire/shared/float16';
import { unlessFull } from '@quire/shared/free-space';
import { storageKeys } from '../../storage/layout.ts';
import type { ObjectStore } from '../../storage/object-store.ts';
import type { ListPage, ListQuery } from '../../shared/list.ts';
import { inMemory, type Artifact } from './artifact.ts';
import { signLink, type ArtifactName, type LinkName } from './links.ts';

const inflate = promisify(gunzip);

export interface ArtifactLinks {
  expiresAt: Date;
  paths: Record<LinkName, string>;
}

export interface ChunkVectors {
  /** Dense vector; null without a dense embedder. */
  dense: number[] | null;
  sparse: SparseVector;
}

export interface DocumentParts {
  record: DocumentRecord;
  /** Undefined if it was not requested, null if there is none yet. */
  tree: DocumentTree | null | undefined;
  /** At most 100. */
  chunks: ChunkRecord[] | undefined;
  /** Position after which the list of chunks continues; null if `chunks` has all of them. */
  nextChunk: string | null | undefined;
  vectors: ChunkVectors[] | undefined;
}

/** Maximum number of chunks in a record with `include`; the list of chunks has the others. */
const MAX_INCLUDED_CHUNKS = 100;

/** Renders the first page of a document; null if it has no picture. */
export type DrawThumbnail = (document: DocumentRecord, tree: Buffer | null) => Promise<Buffer | null>;

export interface DocumentContentDeps {
  database: Kysely<Database>;
  store: ObjectStore;
  drawThumbnail: DrawThumbnail;
  linkKey: Buffer;
  now: () => number;
}

export class DocumentContent {
  readonly #deps: DocumentContentDeps;

  constructor(deps: DocumentContentDeps) {
    this.#deps = deps;
  }

  /** Returns the block tree of the searchable revision; null if there is none yet. */
  async tree(document: DocumentRecord): Promise<DocumentTree | null> {
    const packed = await this.#packedTree(document);
    return packed === null ? null : (JSON.parse((await inflate(packed)).toString('utf8')) as DocumentTree);
  }

  /** Returns one page of the chunks, in reading order; `after` is the ordinal of the last chunk of the page before. */
  async chunkPage(document: DocumentRecord, { limit, after }: ListQuery): Promise<ListPage<ChunkRecord>> {
    const chunks = this.#searchableChunks(document);
    const page = after === undefined ? chunks : chunks.where('chunks.ordinal', '>', Number(after));
    const [rows, { total }] = await Promise.all([
      page
        .selectAll('chunks')
        .orderBy('ordinal')
        .limit(limit + 1)
        .execute(),
      chunks.select((eb) => eb.fn.countAll<string>().as('total')).executeTakeFirstOrThrow(),
    ]);
    const items = rows.slice(0, limit);
    const last = items.at(-1);
    const next = rows.length > limit && last !== undefined ? String(last.ordinal) : null;
    return { items, next, total: Number(total) };
  }

  /** Throws 404 when searches see no such chunk of the document. */
  async chunk(document: DocumentRecord, chunkId: string): Promise<ChunkRecord> {
    const found = await this.#searchableChunks(document)
      .selectAll('chunks')
      .where('chunks.id', '=', chunkId)
      .executeTakeFirst();
    if (found === undefined) throw notFound();
    return found;
  }

  #searchableChunks(document: DocumentRecord) {
    return this.#deps.database
      .selectFrom('chunks')
      .innerJoin('collections', (join) =>
        join
          .onRef('collections.id', '=', 'chunks.collection_id')
          .onRef('collections.live_generation', '=', 'chunks.generation'),
      )
      .where('chunks.workspace_id', '=', document.workspace_id)
      .where('chunks.document_id', '=', document.id)
      .where('chunks.revision', '=', document.searchable_revision ?? -1);
  }

  /** Returns an artifact; throws 404 if the document has none of this name yet. */
  async artifact(document: DocumentRecord, name: ArtifactName): Promise<Artifact> {
    const artifact = await this.#find(document, name);
    if (artifact === null) throw notFound();
    if (name === 'original') await writePendingAudit(this.#deps.database);
    return artifact;
  }

  /** Returns the document with the requested parts of its content. */
  async parts(record: DocumentRecord, include: ReadonlySet<string>): Promise<DocumentParts> {
    const withChunks = include.has('chunks') || include.has('vectors');
    const [tree, page] = await Promise.all([
      include.has('blocks') ? this.tree(record) : undefined,
      withChunks ? this.chunkPage(record, { limit: MAX_INCLUDED_CHUNKS }) : undefined,
    ]);
    const vectors = include.has('vectors') ? page?.items.map(vectorsOf) : undefined;
    return { record, tree, chunks: page?.items, nextChunk: page?.next, vectors };
  }

  /** Returns signed paths, from the API's root, that work without a key until they expire, at `until` at the latest. */
  links(document: DocumentRecord, lifetimeMs: number, until?: Date): ArtifactLinks {
    const expiresAt = new Date(Math.min(this.#deps.now() + lifetimeMs, until?.getTime() ?? Infinity));
    const path = (name: LinkName): string => signLink(document, name, expiresAt, this.#deps.linkKey);
    return {
      expiresAt,
      paths: {
        original: path('original'),
        markdown: path('markdown'),
        html: path('html'),
        thumbnail: path('thumbnail'),
        pages: path('pages'),
      },
    };
  }

  async #find(document: DocumentRecord, name: ArtifactName): Promise<Artifact | null> {
    if (name === 'original') return this.#original(document);
    if (name === 'thumbnail') return this.#thumbnail(document);
    const tree = await this.tree(document);
    if (tree === null) return null;
    const text = name === 'html' ? toHtml(tree) : toMarkdown(tree);
    const contentType = name === 'html' ? 'text/html; charset=utf-8' : 'text/markdown; charset=utf-8';
    const extension = name === 'html' ? 'html' : 'md';
    const etag = `"${document.searchable_content_id}-${extension}"`;
    return inMemory(`${document.name}.${extension}`, contentType, etag, Buffer.from(text));
  }

  async #original(document: DocumentRecord): Promise<Artifact | null> {
    const key = storageKeys.original(document, document.content_id);
    const stat = await this.#deps.store.stat(key);
    if (stat === undefined) return null;
    return {
      name: document.name,
      contentType: document.content_type,
      sizeBytes: stat.sizeBytes,
      etag: `"${document.sha256}"`,
      open: async (range) => {
        const stream = await this.#deps.store.get(key, range);
        if (stream === undefined) throw notFound();
        return stream;
      },
    };
  }

  /** Renders the thumbnail on the first request (up to 45 ms of CPU) and stores it. */
  async #thumbnail(document: DocumentRecord): Promise<Artifact | null> {
    const contentId = document.searchable_content_id;
    if (contentId === null) return null;
    const key = storageKeys.thumbnail(document, contentId);
    const kept = await this.#deps.store.get(key);
    const picture =
      kept === undefined
        ? await this.#deps.drawThumbnail(document, await this.#packedTree(document))
        : await buffer(kept);
    if (picture === null) return null;
    if (kept === undefined) await unlessFull(() => this.#deps.store.put(key, picture));
    return inMemory(`${document.name}.webp`, 'image/webp', `"${contentId}-thumbnail"`, picture);
  }

  async #packedTree(document: DocumentRecord): Promise<Buffer | null> {
    if (document.searchable_content_id === null) return null;
    const stream = await this.#deps.store.get(storageKeys.tree(document, document.searchable_content_id));
    return stream === undefined ? null : buffer(stream);
  }
}

export function vectorsOf(chunk: ChunkRecord): ChunkVectors {
  return {
    dense: chunk.embedding === null ? null : [...fromFloat16(chunk.embedding)],
    sparse: sparseVector(chunk.terms.split(' ')),
  };
}
