/** Caches pages that a provider has read, beside the document's content until the document is ready. */
import { buffer } from 'node:stream/consumers';
import type { DocumentRecord } from '../database/tables.ts';
import type { ReadPage } from '@quire/blocks/page-reading';
import { storageKeys } from '../storage/layout.ts';
import type { ObjectStore } from '../storage/object-store.ts';
import type { PageCache } from '@quire/process/parse/parse-with-provider';

type Document = Pick<DocumentRecord, 'id' | 'workspace_id' | 'collection_id' | 'content_id'>;

/** Version of the stored form; pages in another form are read again. */
const FORM = 2;

/** Keys include the parser, so pages of different parsers or rendering settings are not mixed. */
export function pageCache(store: ObjectStore, document: Document, parserId: string): PageCache {
  const keyOf = (page: number): string =>
    `${storageKeys.readPages(document, document.content_id)}${parserId}-${FORM}-${page}.json`;
  return {
    get: async (page) => {
      const stream = await store.get(keyOf(page));
      // The JSON was written by `put` and is not validated again.
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
