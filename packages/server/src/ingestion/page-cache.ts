/** Pages that an outside parser has read of a document, beside its content until the document is ready. */
import { buffer } from 'node:stream/consumers';
import type { DocumentRecord } from '../database/tables.ts';
import type { ReadPage } from '@quire/blocks/page-reading';
import { storageKeys } from '../storage/layout.ts';
import type { ObjectStore } from '../storage/object-store.ts';
import type { PageCache } from '@quire/process/parse/parse-with-provider';

type Document = Pick<DocumentRecord, 'id' | 'workspace_id' | 'collection_id' | 'content_id'>;

/** Pages of another parser, or the same one drawn otherwise, are not mixed with this one's. */
export function pageCache(store: ObjectStore, document: Document, parserId: string): PageCache {
  const keyOf = (page: number): string =>
    `${storageKeys.readPages(document, document.content_id)}${parserId}-${page}.json`;
  return {
    get: async (page) => {
      const stream = await store.get(keyOf(page));
      // Written by `put`, read from our own store.
      return stream === undefined ? undefined : (JSON.parse((await buffer(stream)).toString('utf8')) as ReadPage);
    },
    put: async (page) => {
      await store.put(keyOf(page.page), Buffer.from(JSON.stringify(page)));
    },
  };
}

export function clearPages(store: ObjectStore, document: Document): Promise<void> {
  return store.deletePrefix(storageKeys.readPages(document, document.content_id));
}
