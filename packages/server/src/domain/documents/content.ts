/** The content of a document: chunks, block tree, artifacts, and signed links to artifacts. */
import { gunzip } from 'node:zlib';
import { promisify } from 'node:util';
import { buffer } from 'node:stream/consumers';
import type { Kysely } from 'kysely';
import type { DocumentTree } from '@quire/blocks/block';
import { ContentError } from '@quire/blocks/content-error';
import type { ParseFormat } from '@quire/process/blocks';
import { readText, type TextReading, type TextRequest } from '@quire/process/document-text/read-text';
import { renderTree } from '@quire/process/render-tree';
import type { SandboxClient } from '@quire/process/tasks/sandbox-client';
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
import { renderingError, type DocumentRenderings, type Rendering } from './renderings.ts';
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
  /** Undefined if it was not requested, null if there is none yet; the blocks as JSON if it is large. */
  tree: DocumentTree | Rendering | null | undefined;
  /** At most 100. */
  chunks: ChunkRecord[] | undefined;
  /** Position after which the list of chunks continues; null if `chunks` has all of them. */
  nextChunk: string | null | undefined;
  vectors: ChunkVectors[] | undefined;
}

/** Maximum number of chunks in a record with `include`; the list of chunks has the others. */
const MAX_INCLUDED_CHUNKS = 100;

/**
 * Maximum size of a tree, as JSON, and of its renderings, that are made in this process, which takes some milliseconds;
 * larger ones are made in the sandbox.
 */
const MAX_OWN_TREE_BYTES = 256 * 1024;
const MAX_OWN_LENGTH = 1024 * 1024;

/** Renders the first page of a document; null if it has no picture. */
export type DrawThumbnail = (document: DocumentRecord, tree: Buffer | null) => Promise<Buffer | null>;

export interface DocumentContentDeps {
  database: Kysely<Database>;
  store: ObjectStore;
  drawThumbnail: DrawThumbnail;
  renderings: Pick<DocumentRenderings, 'get'>;
  sandbox: Pick<SandboxClient, 'readText'>;
  linkKey: Buffer;
  now: () => number;
}

export class DocumentContent {
  readonly #deps: DocumentContentDeps;

  constructor(deps: DocumentContentDeps) {
    this.#deps = deps;
  }

  /**
   * Returns a part of the document as Markdown; null if the searchable revision has no tree, undefined if the tree has
   * no such part.
   */
  async text(
    document: DocumentRecord,
    request: TextRequest,
    signal: AbortSignal,
  ): Promise<TextReading | null | undefined> {
    const packed = await this.#packedTree(document);
    if (packed === null) return null;
    const tree = await unpackSmall(packed);
    if (tree !== undefined) return readText(tree, request) ?? undefined;
    try {
      return (await this.#deps.sandbox.readText({ tree: packed, request }, { signal })) ?? undefined;
    } catch (error) {
      throw error instanceof ContentError ? renderingError(error) : error;
    }
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
      include.has('blocks') ? this.#blocks(record) : undefined,
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
    const rendering = await this.#rendering(document, name);
    if (rendering === null) return null;
    const contentType = name === 'html' ? 'text/html; charset=utf-8' : 'text/markdown; charset=utf-8';
    const extension = name === 'html' ? 'html' : 'md';
    const etag = `"${document.searchable_content_id}-${extension}"`;
    const file = `${document.name}.${extension}`;
    return typeof rendering === 'string'
      ? inMemory(file, contentType, etag, Buffer.from(rendering))
      : { name: file, contentType, etag, ...rendering };
  }

  /** Returns the text of a small tree, and a stored rendering of a large one; null if there is no tree. */
  async #rendering(document: DocumentRecord, format: ParseFormat): Promise<string | Rendering | null> {
    const packed = await this.#packedTree(document);
    if (packed === null) return null;
    const tree = await unpackSmall(packed);
    const text = tree === undefined ? undefined : renderSmall(tree, format);
    return text ?? this.#deps.renderings.get(document, format, async () => packed);
  }

  async #blocks(document: DocumentRecord): Promise<DocumentTree | Rendering | null> {
    const packed = await this.#packedTree(document);
    if (packed === null) return null;
    return (await unpackSmall(packed)) ?? this.#deps.renderings.get(document, 'blocks', async () => packed);
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

/** Returns the tree; undefined if it is large. */
async function unpackSmall(packed: Buffer): Promise<DocumentTree | undefined> {
  // The length of gzipped data is in its last four bytes, which a damaged file may have wrong.
  if (packed.readUInt32LE(packed.length - 4) > MAX_OWN_TREE_BYTES) return undefined;
  const json = await inflate(packed, { maxOutputLength: MAX_OWN_TREE_BYTES }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ERR_BUFFER_TOO_LARGE') return undefined;
    throw error;
  });
  return json === undefined ? undefined : (JSON.parse(json.toString('utf8')) as DocumentTree);
}

/** Returns undefined if the rendering is large. */
function renderSmall(tree: DocumentTree, format: ParseFormat): string | undefined {
  try {
    return renderTree(tree, [format], MAX_OWN_LENGTH)[format];
  } catch (error) {
    if (error instanceof ContentError && error.type === 'too_large') return undefined;
    throw error;
  }
}

export function vectorsOf(chunk: ChunkRecord): ChunkVectors {
  return {
    dense: chunk.embedding === null ? null : [...fromFloat16(chunk.embedding)],
    sparse: sparseVector(chunk.terms.split(' ')),
  };
}
