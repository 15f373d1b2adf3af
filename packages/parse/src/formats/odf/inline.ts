/** Reads the content of an OpenDocument paragraph: text, links, notes, and anchored frames. */
import { TextBuilder } from '../../office/build/text-builder.ts';
import type { BuiltText } from '../../office/build/text-builder.ts';
import { attribute, child, childElements, integerAttribute, textOf } from '../../office/xml/xml-element.ts';
import type { XmlElement } from '../../office/xml/xml-element.ts';
import type { OdfStyles } from './styles.ts';

export interface OdfInline extends BuiltText {
  /** Frames and shapes that become blocks after the paragraph. */
  frames: XmlElement[];
  notes: { mark: string; body: XmlElement }[];
  comments: XmlElement[];
  /** The text including leading and trailing white space. */
  rawText: string;
}

/** Maximum number of spaces of a `text:s`, which may declare billions. */
const MAX_SPACES = 100;

export function readInline(paragraph: XmlElement, styles: OdfStyles): OdfInline {
  const builder = new TextBuilder();
  const inline: Omit<OdfInline, keyof BuiltText> = { frames: [], notes: [], comments: [], rawText: '' };
  append(paragraph, { builder, inline, styles });
  builder.mark(0, styles.marks('paragraph', attribute(paragraph, 'text:style-name')));
  inline.rawText = builder.text;
  return { ...builder.finish(), ...inline };
}

interface Target {
  builder: TextBuilder;
  inline: Omit<OdfInline, keyof BuiltText>;
  styles: OdfStyles;
}

function append(element: XmlElement, target: Target): void {
  for (const node of element.children) {
    if (typeof node === 'string') target.builder.append(node.replaceAll(/\s+/g, ' '));
    else appendElement(node, target);
  }
}

function appendElement(node: XmlElement, target: Target): void {
  const { builder, inline, styles } = target;
  switch (node.name) {
    case 'text:s':
      builder.append(' '.repeat(Math.min(MAX_SPACES, Math.max(0, integerAttribute(node, 'text:c') ?? 1))));
      break;
    case 'text:tab':
      builder.append('\t');
      break;
    case 'text:line-break':
      builder.append('\n');
      break;
    case 'text:a':
      builder.openLink(linkTarget(attribute(node, 'xlink:href') ?? ''));
      append(node, target);
      builder.closeLink();
      break;
    case 'text:note': {
      const mark = textOf(child(node, 'text:note-citation')).trim();
      const body = child(node, 'text:note-body');
      if (body) inline.notes.push({ mark, body });
      builder.append(`[${mark}]`);
      break;
    }
    case 'office:annotation':
      inline.comments.push(node);
      break;
    case 'text:ruby':
      append(child(node, 'text:ruby-base') ?? node, target);
      break;
    case 'text:span': {
      const style = attribute(node, 'text:style-name');
      if (styles.isHiddenText(style)) break;
      const start = builder.length;
      append(node, target);
      builder.mark(start, styles.marks('text', style));
      break;
    }
    case 'text:tracked-changes':
    case 'text:hidden-text':
    case 'office:annotation-end':
      break;
    default:
      if (/^(?:draw|dr3d):/.test(node.name)) inline.frames.push(node);
      else if (childElements(node).length > 0 || node.children.length > 0) append(node, target);
  }
}

/** Returns an empty address for links within the document. */
const linkTarget = (href: string): string => (href.startsWith('#') ? '' : href);
