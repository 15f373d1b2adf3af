/** Determines the block type of a Word paragraph and adds the block to its story. */
import { TITLE_LEVEL } from '../../office/build/document-title.ts';
import { addListEntry, withLabel } from '../../office/build/list-labels.ts';
import { withLead } from '../../office/build/text-builder.ts';
import type { BuiltText } from '../../office/build/text-builder.ts';
import { child, integerAttribute } from '../../office/xml/xml-element.ts';
import type { XmlElement } from '../../office/xml/xml-element.ts';
import type { DocxContext } from './docx-context.ts';
import type { InlineContent } from './inline.ts';
import { endsDeleted, ownNumbering } from './inline.ts';
import type { NumberLabel } from '../../office/build/numbering.ts';
import type { Story } from '../../office/build/story.ts';
import type { ParagraphStyle } from './styles.ts';

/** Characters that are frequent in code and rare in prose. */
const CODE_CHARACTERS = /[{}();=<>[\]$#|\\]|\b(?:SELECT|import|def|return|function|class)\b/;

export class ParagraphWriter {
  readonly #context: DocxContext;
  /** Text of a paragraph whose end mark is a tracked deletion; the next paragraph continues it. */
  #carried: BuiltText | undefined;

  constructor(context: DocxContext) {
    this.#context = context;
  }

  write(story: Story, element: XmlElement, style: ParagraphStyle, inline: InlineContent): void {
    const properties = child(element, 'w:pPr');
    const content = this.#joined(inline);
    if (endsDeleted(properties)) {
      // Keeps the space at the end, which separates it from the next paragraph.
      const { text, links, marks } = content;
      this.#carried = { text: text + trailingSpace(inline.rawText), links, marks };
      return;
    }
    this.#carried = undefined;
    const { kind, level } = effectiveKind(style, properties);
    const label = content.text === '' ? undefined : this.#label(properties, style);
    if (kind === 'title' || kind === 'heading') {
      story.addText('heading', withLabel(content, label?.label), kind === 'title' ? TITLE_LEVEL : level);
    } else if (inline.formulas) {
      story.addBlocks(inline.formulas.map((text) => ({ type: 'formula', text })));
    } else if (label) {
      const listLevel = ownNumbering(properties).level ?? style.numLevel ?? 0;
      addListEntry(story, content, label, listLevel + style.listDepth);
    } else if (kind === 'code' || (inline.monospaced && CODE_CHARACTERS.test(content.text))) {
      story.addCode(inline.rawText.trimEnd());
    } else {
      story.addText(kind === 'quote' || kind === 'caption' ? kind : 'paragraph', content);
    }
  }

  #joined(inline: InlineContent): BuiltText {
    const carried = this.#carried;
    if (!carried || carried.text === '') return inline;
    const { text, links, marks } = withLead(carried.text, inline);
    return { text, links: [...carried.links, ...links], marks: [...carried.marks, ...marks] };
  }

  #label(properties: XmlElement | undefined, style: ParagraphStyle): NumberLabel | undefined {
    const own = ownNumbering(properties);
    const numId = own.numId ?? style.numId;
    return numId === undefined ? undefined : this.#context.numbering.next(numId, own.level ?? style.numLevel ?? 0);
  }
}

const trailingSpace = (text: string): string => text.slice(text.trimEnd().length);

/** Returns the style's kind, overridden by a direct outline level, which makes any paragraph a heading or body text. */
function effectiveKind(
  style: ParagraphStyle,
  properties: XmlElement | undefined,
): Pick<ParagraphStyle, 'kind' | 'level'> {
  const outline = integerAttribute(child(properties, 'w:outlineLvl'), 'w:val');
  if (outline === undefined || style.kind === 'title') return style;
  if (outline < 9) return { kind: 'heading', level: outline + 1 };
  return style.kind === 'heading' ? { kind: 'body', level: 0 } : style;
}
