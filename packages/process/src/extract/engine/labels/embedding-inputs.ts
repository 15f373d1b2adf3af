/** Returns the labels of a document and the fields that no concept matches, for comparison by an embedder. */
import type { DocumentTree } from '@quire/blocks/block';
import type { JsonSchema } from '@quire/models/chat-model';
import type { EmbeddingInputs } from '../../extraction.ts';
import { shapeOf } from '../../schema/shape.ts';
import { collectFields, type Field } from '../fields/fields.ts';
import { Labels } from './labels.ts';
import { PhraseBook, wordsOfName } from './phrase-book.ts';
import { segmentDocument } from '../document/segments.ts';
import { findLabelledTexts } from './labelled-texts.ts';

const MAX_FIELDS = 200;
const MAX_LABELS = 400;
const MAX_LABEL_WORDS = 6;
const MAX_DESCRIPTION_LENGTH = 160;

export function embeddingInputs(tree: DocumentTree, schema: JsonSchema): EmbeddingInputs {
  const phrases = new PhraseBook();
  const { fields } = collectFields(shapeOf(schema), phrases);
  const unknown = fields.filter((field) => field.targets.size === 1 && field.nameWords.size > 0).slice(0, MAX_FIELDS);
  if (unknown.length === 0) return { fields: [], labels: [] };
  const document = segmentDocument(tree);
  const labels = new Labels(document);
  const found = new Set<string>();
  for (const { words } of findLabelledTexts(document.segments, labels, phrases)) {
    if (words.length > MAX_LABEL_WORDS || words.every((word) => /\p{N}/u.test(word))) continue;
    found.add(words.join(' '));
    if (found.size >= MAX_LABELS) break;
  }
  return { fields: unknown.map((field) => ({ target: field.nameTarget, text: describe(field) })), labels: [...found] };
}

function describe({ name, shape }: Field): string {
  const title = shape.title === '' ? wordsOfName(name).join(' ') : shape.title;
  return shape.description === '' ? title : `${title}: ${shape.description.slice(0, MAX_DESCRIPTION_LENGTH)}`;
}
