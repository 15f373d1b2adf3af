/** `quire ls`, `show`, `rm`, `retry`: the documents of a collection. */
import { createWriteStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Document, DocumentHandle } from '@quire/client';
import { chosenCollection, isId, type Context } from '../context.ts';
import { CommandError, EXIT } from '../exit-code.ts';
import { columns, counted, formatBytes, printable } from '../output.ts';

export interface ListOptions {
  collection?: string;
  status?: Document['status'];
  name?: string;
  limit: number;
}

/** Number of records per request. */
const PAGE_SIZE = 100;

export async function listDocuments(context: Context, { collection, limit, ...query }: ListOptions): Promise<void> {
  const { quire, output, signal } = context;
  const { id } = await chosenCollection(context, collection);
  const rows: string[][] = [];
  // One more than shown reveals whether the list is cut.
  const listing = quire.collection(id).documents.list({ ...query, limit: Math.min(limit + 1, PAGE_SIZE), signal });
  let count = 0;
  for await (const document of listing) {
    count += 1;
    if (count > limit) break;
    if (output.isJson) output.record(document, '');
    else rows.push(rowOf(document));
  }
  if (rows.length > 0) output.text(`${columns([['ID', 'STATUS', 'SIZE', 'NAME'], ...rows], output.width)}\n`);
  if (count === 0 && !output.isJson) output.note('No document matches.');
  if (count > limit) output.note(`The list ends after ${counted(limit, 'document')}: pass a larger number with -n.`);
}

const rowOf = ({ id, status, stage, error, sizeBytes, name }: Document): string[] => [
  id,
  error === null ? (stage ?? status) : `${status}: ${error.type}`,
  formatBytes(sizeBytes),
  printable(name),
];

export interface ShowOptions {
  collection?: string;
  markdown?: boolean;
  blocks?: boolean;
  chunks?: boolean;
  original?: boolean;
  page?: number;
  output?: string;
}

export async function showDocument(context: Context, reference: string, options: ShowOptions): Promise<void> {
  const { output, quire, signal } = context;
  const document = await findDocument(context, reference, options.collection);
  if (options.page !== undefined || options.original === true) return saveFile(context, document, options);
  if (options.markdown === true) return output.text(await document.markdown({ signal }));
  const record = await document.get({ ...(options.blocks === true ? { include: ['blocks'] } : {}), signal });
  if (options.blocks === true) return output.text(`${JSON.stringify(record.blocks, null, output.isJson ? 0 : 2)}\n`);
  if (options.chunks === true) {
    for await (const chunk of quire.collection(record.collectionId).documents.chunks(record.id, { signal })) {
      const heading = [...chunk.headings, `chunk ${chunk.ordinal}, ${chunk.tokenCount} tokens`].join(' › ');
      output.record(chunk, `${output.style('bold', printable(heading))}\n${printable(chunk.text)}\n`);
    }
    return;
  }
  output.record(record, describe(record));
}

function describe(document: Document): string {
  const fields: [string, string | number | null][] = [
    ['id', document.id],
    ['collection', document.collectionId],
    ['status', document.error === null ? document.status : `${document.status}: ${document.error.message}`],
    ['stage', document.stage],
    ['type', document.contentType],
    ['size', formatBytes(document.sizeBytes)],
    ['sha256', document.sha256],
    ['language', document.language],
    ['pages', document.pageCount],
    ['chunks', document.chunkCount],
    ['revision', document.revision],
    ['created', document.createdAt],
    ['metadata', JSON.stringify(document.metadata)],
  ];
  const rows = fields.flatMap(([name, value]) => (value === null ? [] : [[name, printable(String(value))]]));
  return `${printable(document.name)}\n${columns(rows, Number.POSITIVE_INFINITY)}`;
}

/** Writes the original or the picture of a page to the file, or to stdout for `-`. */
async function saveFile(
  { io, output, signal }: Context,
  document: DocumentHandle,
  options: ShowOptions,
): Promise<void> {
  const { page, output: target } = options;
  if (target === undefined) {
    const next = 'Pass `-o FILE`, or `-o -` for stdout.';
    throw new CommandError('a file to write to is needed', { exitCode: EXIT.usage, next });
  }
  if (page !== undefined) {
    const bytes = Buffer.from(await (await document.page(page, { signal })).arrayBuffer());
    if (target === '-') io.stdout.write(bytes as unknown as string);
    else await writeFile(target, bytes);
  } else {
    const { body } = await document.original({ signal });
    if (body === null) throw new CommandError('the service sent no content');
    const sink = target === '-' ? process.stdout : createWriteStream(target);
    await pipeline(Readable.fromWeb(body), sink, { end: target !== '-' });
  }
  if (target !== '-') output.note(`Wrote ${target}.`);
}

/** Returns the document of an id, or of a name in the chosen collection. */
export async function findDocument(
  context: Context,
  reference: string,
  collection: string | undefined,
): Promise<DocumentHandle> {
  const { quire, signal } = context;
  if (isId(reference) && collection === undefined) return quire.document(reference);
  const { id: collectionId } = await chosenCollection(context, collection);
  if (isId(reference)) return quire.document({ id: reference, collectionId });
  const { documents } = quire.collection(collectionId);
  const found = (await documents.list({ name: reference, limit: PAGE_SIZE, signal }).all()).filter(
    ({ name }) => name === reference,
  );
  if (found[0] === undefined || found.length > 1) {
    const problem = found.length > 1 ? `${found.length} documents have the name` : 'there is no document';
    const next =
      found.length > 1 ? `Name one by its id: ${found.map(({ id }) => id).join(', ')}` : 'List them with `quire ls`.';
    throw new CommandError(`${problem} ${reference}`, { exitCode: EXIT.state, next });
  }
  return quire.document(found[0]);
}

export async function removeDocuments(
  context: Context,
  references: readonly string[],
  { collection, purge }: { collection?: string; purge?: boolean },
): Promise<void> {
  for (const reference of references) {
    const document = await findDocument(context, reference, collection);
    const record = await document.delete({ ...(purge === true ? { purge } : {}), signal: context.signal });
    context.output.record(record, `Deleted ${printable(record.name)}.`);
  }
}

/** Processes failed documents again: the named ones, or all of the collection. */
export async function retryDocuments(
  context: Context,
  references: readonly string[],
  { collection, failed }: { collection?: string; failed?: boolean },
): Promise<void> {
  const { quire, output, signal } = context;
  if ((failed === true) === references.length > 0) {
    throw new CommandError('name documents, or pass --failed for all failed ones', { exitCode: EXIT.usage });
  }
  const { id } = await chosenCollection(context, collection);
  const { documents } = quire.collection(id);
  if (failed === true) {
    const { retried } = await documents.retryMany({ filter: { status: 'failed' } }, { signal });
    output.record({ retried }, `Queued ${counted(retried, 'failed document')}.`);
    return;
  }
  for (const reference of references) {
    const document = await documents.retry((await findDocument(context, reference, id)).id, { signal });
    output.record(document, `Queued ${printable(document.name)}.`);
  }
}
