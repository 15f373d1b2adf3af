import type { Citation, Message } from '../api.ts';

type Part = Message['parts'][number];
export type ToolPart = Extract<Part, { type: 'tool' }>;

/** A change of an answer. `part` is the index in `message.parts`. */
export type AnswerEvent =
  /** New text at the end of the part; with `isReplacement`, the whole text of the part. */
  | { type: 'text' | 'reasoning'; part: number; text: string; isReplacement: boolean }
  /** A tool call that began or changed. */
  | { type: 'tool'; part: number; tool: ToolPart }
  | { type: 'citation'; citation: Citation }
  /** The answer is `done`, `stopped` or `failed`. */
  | { type: 'end'; message: Message };

/** Yields the changes from one state of an answer to a later one. Unchanged parts are shared between the states. */
export function* changes(before: Message | undefined, after: Message): Generator<AnswerEvent> {
  for (const [index, part] of after.parts.entries()) {
    const old = before?.parts[index];
    if (old !== part) yield* partChange(index, old, part);
  }
  const known = before?.citations ?? [];
  for (const [index, citation] of after.citations.entries())
    if (known[index] !== citation) yield { type: 'citation', citation };
  if (after.status !== 'streaming') yield { type: 'end', message: after };
}

function* partChange(index: number, old: Part | undefined, part: Part): Generator<AnswerEvent> {
  if (part.type === 'tool') {
    yield { type: 'tool', part: index, tool: part };
    return;
  }
  const known = old?.type === part.type ? old.text : '';
  const isReplacement = !part.text.startsWith(known);
  const text = isReplacement ? part.text : part.text.slice(known.length);
  if (text !== '' || isReplacement) yield { type: part.type, part: index, text, isReplacement };
}
