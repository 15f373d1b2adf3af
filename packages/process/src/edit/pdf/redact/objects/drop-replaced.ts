/**
 * Removes the originals of redacted copies from all resources whose content does not draw them. Resources name what a
 * page may draw, so the originals would otherwise stay in the file.
 */
import { PDFArray, PDFRef, PDFStream, type PDFDict, type PDFDocument, type PDFObject } from '@cantoo/pdf-lib';
import { contentOperations } from '../content/content-tokens.ts';
import { copyOf, dictAt, key, nameAt } from './pdf-objects.ts';
import { decodedBytes } from './stream-bytes.ts';

export function dropReplaced(document: PDFDocument, replaced: ReadonlySet<PDFRef>): void {
  if (replaced.size === 0) return;
  for (const { node } of document.getPages()) dropFrom(node, streamsOf(node.lookup(key('Contents'))), replaced);
  for (const [, object] of document.context.enumerateIndirectObjects()) {
    if (object instanceof PDFStream && nameAt(object.dict, 'Subtype') === 'Form')
      dropFrom(object.dict, [object], replaced);
  }
}

function dropFrom(owner: PDFDict, content: readonly (PDFObject | undefined)[], replaced: ReadonlySet<PDFRef>): void {
  const resources = dictAt(owner, 'Resources');
  const objects = dictAt(resources, 'XObject');
  const named = (objects?.entries() ?? []).filter(([, value]) => value instanceof PDFRef && replaced.has(value));
  if (named.length === 0) return;
  const drawn = new Set(content.flatMap((stream) => drawnNames(stream, objects)));
  const kept = copyOf(objects, owner.context);
  for (const [name] of named) if (!drawn.has(name.decodeText())) kept.delete(name);
  const own = copyOf(resources, owner.context);
  own.set(key('XObject'), kept);
  owner.set(key('Resources'), own);
}

/**
 * Returns the names that a stream draws, including those drawn by forms that have no resources of their own and use the
 * page's.
 */
function drawnNames(stream: PDFObject | undefined, objects: PDFDict | undefined, depth = 0): string[] {
  const names = new Set<string>();
  for (const { name, operands } of contentOperations(decodedBytes(stream) ?? new Uint8Array())) {
    const [operand] = operands;
    if (name !== 'Do' || operand?.kind !== 'name' || names.has(operand.value)) continue;
    names.add(operand.value);
    const object = objects?.lookup(key(operand.value));
    const borrows =
      object instanceof PDFStream && nameAt(object.dict, 'Subtype') === 'Form' && !object.dict.has(key('Resources'));
    if (!borrows || depth >= MAX_DEPTH) continue;
    for (const borrowed of drawnNames(object, objects, depth + 1)) names.add(borrowed);
  }
  return [...names];
}

const MAX_DEPTH = 4;

const streamsOf = (contents: PDFObject | undefined): (PDFObject | undefined)[] =>
  contents instanceof PDFArray ? contents.asArray().map((_, at) => contents.lookup(at)) : [contents];
