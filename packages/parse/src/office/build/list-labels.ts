import { withLead } from './text-builder.ts';
import type { BuiltText } from './text-builder.ts';
import type { NumberLabel } from './numbering.ts';
import type { Story } from './story.ts';

/** Returns the text preceded by its label. */
export function withLabel(content: BuiltText, label: string | undefined): BuiltText {
  if (label === undefined || label === '') return content;
  return withLead(`${label} `, content);
}

/**
 * Adds a list entry. Plain numbers make an ordered list; other labels are part of the text ("(a)", "1.2.", "Article
 * 3").
 */
export function addListEntry(story: Story, content: BuiltText, label: NumberLabel, level: number): void {
  if (label.plainNumber === undefined) {
    story.addListEntry({ level, ordered: false, content: withLabel(content, label.label) });
  } else {
    story.addListEntry({ level, ordered: true, number: label.plainNumber, content });
  }
}
