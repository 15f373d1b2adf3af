/** The stored files whose pages can be drawn: the content of a document that searches see, and the files of runs. */
import type { Format } from '@quire/parse/formats';
import type { SourceFile } from '@quire/parse/parser';
import type { DocumentRecord, RunRecord } from '../../database/tables.ts';
import { notFound } from '../../errors.ts';
import { picturesOf } from '../../storage/derived-pictures.ts';
import { storageKeys } from '../../storage/layout.ts';

export interface PageSource {
  /** Identifies the stored bytes, which never change. */
  contentId: string;
  /** Key of the original in the object store. */
  key: string;
  /** Prefix of the keys of its pictures. */
  pictures: string;
  file: Omit<SourceFile, 'path'>;
}

/** Returns the source of the content that is searchable, or of the newest one if none is. */
export function documentPages(document: DocumentRecord): PageSource {
  const contentId = document.searchable_content_id ?? document.content_id;
  return {
    contentId,
    key: storageKeys.original(document, contentId),
    pictures: picturesOf(storageKeys.content(document, contentId)),
    file: {
      name: document.name,
      sizeBytes: Number(document.size_bytes),
      format: document.format as Format,
      contentType: document.content_type,
    },
  };
}

/**
 * Returns the source of a file of a run. `fileNumber` counts the files of the outcome from 1, or the files that were
 * sent while there is no outcome. Throws 404 if there is no such file, or it is a member of an archive.
 */
export function runFilePages(run: RunRecord, fileNumber: number): PageSource {
  const fileId = run.outcome === null ? run.files[fileNumber - 1]?.id : run.outcome.files[fileNumber - 1]?.fileId;
  const file = run.files.find(({ id }) => id === fileId);
  if (file === undefined) throw notFound();
  const { id, name, sizeBytes, format, contentType } = file;
  return {
    contentId: id,
    key: storageKeys.runInput(run, id),
    pictures: picturesOf(`${storageKeys.run(run.workspace_id, run.id)}${id}/`),
    file: { name, sizeBytes, format: format as Format, contentType },
  };
}
