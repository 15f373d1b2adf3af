import type { BlockDraft } from '@quire/blocks/block';
import { layOutDocument } from '../../layout/document-layout.ts';
import type { RecognisedPicture } from '../ocr.ts';
import { recognisedPage } from '../words/recognised-page.ts';

/** Lays out a document of these pictures and returns its blocks. */
export function blocksOfPictures(pictures: readonly RecognisedPicture[]): BlockDraft[] {
  const pages = pictures.map((picture, index) => recognisedPage(picture, index + 1));
  const { signal } = new AbortController();
  return layOutDocument(pages, new Map(), { signal, onProgress: () => undefined, outline: [] });
}
