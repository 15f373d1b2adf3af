/**
 * `quire export` and `quire import`: a collection as one tar, streamed. `collection.json` holds its settings; each
 * document is `documents/N.json` (name, metadata, content type) followed by `documents/N.original`.
 */
import { createReadStream, createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { text as readText } from 'node:stream/consumers';
import { InvalidRequestError, QuireError, type Collection, type Document, type Schemas } from '@quire/client';
import { extract, pack, type Pack } from 'tar-stream';
import { chosenCollection, type Context } from '../context.ts';
import { CommandError, EXIT, isUnreadable, type ExitCode } from '../exit-code.ts';
import { reasonOf } from '../explain-error.ts';
import { counted, printable } from '../output.ts';

/** Version of the layout; another one is refused. */
const FORMAT = 1;

interface ArchivedCollection {
  format: number;
  name: string;
  description: string | null;
  chunking: Collection['chunking'];
  metadata: Collection['metadata'];
}

/** The fields of a document that clients set; an export does not compile without one of them. */
type DocumentFields = Pick<Document, Exclude<keyof Schemas['DocumentForm'], 'file'>>;
type ArchivedDocument = DocumentFields & Pick<Document, 'contentType' | 'sha256'>;

export async function exportCollection(
  context: Context,
  name: string | undefined,
  target: string | undefined,
): Promise<void> {
  const { io, output } = context;
  const collection = await chosenCollection(context, name);
  const file = target === '-' ? undefined : target;
  if (file === undefined) {
    if (io.stdout.isTTY === true) {
      const next = 'Pass `-o FILE`, or write to a pipe or a file.';
      throw new CommandError('an export is not written to a terminal', { exitCode: EXIT.usage, next });
    }
    await writeArchive(context, collection, process.stdout);
    return;
  }
  // Only a complete export gets the name.
  const partial = `${file}.${process.pid}.part`;
  try {
    const count = await writeArchive(context, collection, createWriteStream(partial));
    await rename(partial, file);
    output.note(`Exported ${counted(count, 'document')} of ${printable(collection.name)} to ${file}.`);
  } finally {
    await rm(partial, { force: true });
  }
}

/** Writes the archive and returns the number of documents. */
async function writeArchive(context: Context, collection: Collection, sink: Writable): Promise<number> {
  const { quire, signal, output } = context;
  const archive = pack();
  const written = pipeline(archive, sink, { signal, end: sink !== process.stdout });
  // A file that cannot be written ends the archive, and with it the loop below; the reason is thrown at the end.
  written.catch(() => archive.destroy());
  const { description = null, chunking, metadata } = collection;
  const settings: ArchivedCollection = { format: FORMAT, name: collection.name, description, chunking, metadata };
  archive.entry({ name: 'collection.json' }, JSON.stringify(settings));
  let count = 0;
  const { documents } = quire.collection(collection.id);
  try {
    for await (const document of documents.list({ limit: 100, signal })) {
      // Members of an archive come back with the archive.
      if (document.parentId !== null) continue;
      await addDocument(context, archive, document, count);
      count += 1;
      output.progress(`${count} documents`);
    }
    archive.finalize();
  } catch (error) {
    if (archive.destroyed) await written;
    archive.destroy(error as Error);
  }
  await written;
  return count;
}

async function addDocument(
  { quire, signal }: Context,
  archive: Pack,
  document: Document,
  index: number,
): Promise<void> {
  const { name, metadata, contentType, sha256, sizeBytes } = document;
  const record: ArchivedDocument = { name, metadata, contentType, sha256 };
  archive.entry({ name: `documents/${index}.json` }, JSON.stringify(record));
  const { body } = await quire.document(document).original({ signal });
  if (body === null) throw new CommandError(`the service sent no content of ${name}`);
  const entry = archive.entry({ name: `documents/${index}.original`, size: sizeBytes });
  await pipeline(Readable.fromWeb(body), entry, { signal });
}

/** Creates a collection from an export and waits until its documents are searchable. */
export async function importCollection(
  context: Context,
  source: string,
  options: { name?: string },
): Promise<ExitCode> {
  const { signal, output } = context;
  const entries = extract();
  const input = source === '-' ? process.stdin : createReadStream(source);
  const read = pipeline(input, entries, { signal });
  // Awaited at the end and on failure.
  read.catch(() => undefined);
  let collection: Collection | undefined;
  let record: ArchivedDocument | undefined;
  const outcomes: (Document | undefined)[] = [];
  try {
    for await (const entry of entries) {
      if (entry.header.name === 'collection.json')
        collection = await createFrom(context, await readText(entry), options);
      else if (entry.header.name.endsWith('.json')) record = JSON.parse(await readText(entry)) as ArchivedDocument;
      else if (collection === undefined || record === undefined) throw notAnExport(source);
      else outcomes.push(await upload(context, collection, record, entry as AsyncIterable<Uint8Array>));
      entry.resume();
      output.progress(`${outcomes.length} documents sent`);
    }
  } catch (failure) {
    entries.destroy();
    const error = (await read.catch(causeOfEnd)) ?? failure;
    if (collection !== undefined) output.note(incomplete(collection));
    if (signal.aborted || isExplained(error)) throw error;
    throw collection === undefined ? notAnExport(source) : damaged(source, error);
  }
  await read;
  if (collection === undefined) throw notAnExport(source);
  return finish(context, collection, outcomes);
}

/** Returns the fault of the archive, which also ends the upload that reads it; undefined if it was only closed. */
const causeOfEnd = (error: NodeJS.ErrnoException): unknown =>
  error.code === 'ERR_STREAM_PREMATURE_CLOSE' ? undefined : error;

const isExplained = (error: unknown): boolean =>
  error instanceof CommandError || error instanceof QuireError || isUnreadable(error);

const incomplete = ({ id, name }: Collection): string =>
  `${printable(name)} is incomplete. Delete it with \`quire collections rm ${id}\`, then import again.`;

const notAnExport = (source: string): CommandError =>
  new CommandError(`${source} is not an export of a collection`, {
    exitCode: EXIT.usage,
    next: 'Write one with `quire export -c COLLECTION -o FILE`.',
  });

const damaged = (source: string, error: unknown): CommandError =>
  new CommandError(`${source} is cut or damaged: ${(error as Error).message}`, {
    exitCode: EXIT.usage,
    next: 'Export the collection again.',
  });

async function createFrom({ quire, signal }: Context, text: string, options: { name?: string }): Promise<Collection> {
  const { format, name, description, chunking, metadata } = JSON.parse(text) as ArchivedCollection;
  if (format !== FORMAT) {
    const next = 'Import it with the version of quire that wrote it.';
    throw new CommandError(`the export has format ${format}; this version reads ${FORMAT}`, {
      exitCode: EXIT.usage,
      next,
    });
  }
  const body = { name: options.name ?? name, chunking, metadata, ...(description === null ? {} : { description }) };
  return quire.collections.create(body, { signal });
}

/** Returns undefined for a document that the service refuses, such as one that was damaged before its export. */
async function upload(
  { quire, signal, output }: Context,
  collection: Collection,
  { contentType, sha256: _sha256, ...fields }: ArchivedDocument,
  content: AsyncIterable<Uint8Array>,
): Promise<Document | undefined> {
  const { name } = fields;
  const file = { name, content, type: contentType };
  try {
    return await quire.collection(collection.id).documents.upload(file, { ...fields, signal });
  } catch (error) {
    if (!(error instanceof InvalidRequestError)) throw error;
    output.note(`${printable(name)}: ${error.type}: ${reasonOf(error)}`);
    return undefined;
  }
}

async function finish(
  { quire, output, signal }: Context,
  collection: Collection,
  outcomes: readonly (Document | undefined)[],
): Promise<ExitCode> {
  const sent = outcomes.filter((each) => each !== undefined);
  let failed = outcomes.length - sent.length;
  for (const [index, { id, name }] of sent.entries()) {
    output.progress(`${index}/${sent.length} documents ready`);
    const document = await quire
      .collection(collection.id)
      .documents.ready(id, { signal, timeoutMs: 0 })
      .catch((error: Error & { record?: Document }) => {
        if (error.record === undefined) throw error;
        const reason = error.record.error;
        output.note(`${printable(name)}: ${reason === null ? error.message : `${reason.type}: ${reason.message}`}`);
        return undefined;
      });
    if (document === undefined) failed += 1;
  }
  output.record(
    { collectionId: collection.id, documents: outcomes.length, failed },
    `Imported ${counted(outcomes.length, 'document')} into ${printable(collection.name)} (${collection.id}), ${failed} failed.`,
  );
  return failed > 0 ? EXIT.partial : EXIT.ok;
}
