import { linksOf } from './text-builder.ts';
import type { BuiltText } from './text-builder.ts';
import type { NumberLabel } from './numbering.ts';
import type { Story } from './story.ts';

/** The text with its label before it. */
export function labelled(content: BuiltText, label: string | undefined): BuiltText {
  if (label === undefined || label === '') return content;
  return { text: `${label} ${content.text}`, links: linksOf(content, label.length + 1).links ?? [] };
}

/** Plain numbers make an ordered list; any other label is part of what is read ("(a)", "1.2.", "Article 3"). */
export function addListEntry(story: Story, content: BuiltText, label: NumberLabel, level: number): void {
  if (label.plainNumber === undefined) {
    story.addListEntry({ level, ordered: false, content: labelled(content, label.label) });
  } else {
    story.addListEntry({ level, ordered: true, number: label.plainNumber, content });
  }
}
