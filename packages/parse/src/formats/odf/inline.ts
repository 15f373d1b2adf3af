/** The inside of an OpenDocument paragraph: text, links, notes, and frames that hang on it. */
import { TextBuilder } from '../../office/build/text-builder.ts';
import type { BuiltText } from '../../office/build/text-builder.ts';
import { attribute, child, childElements, integerAttribute, textOf } from '../../office/xml/xml-element.ts';
import type { XmlElement } from '../../office/xml/xml-element.ts';
import type { OdfStyles } from './styles.ts';

export interface OdfInline extends BuiltText {
  /** Frames and shapes, to be read as blocks after the paragraph. */
  frames: XmlElement[];
  notes: { mark: string; body: XmlElement }[];
  comments: XmlElement[];
  /** With the white space at its ends. */
  rawText: string;
}

/** `text:s` may count to billions. */
const MAX_SPACES = 100;

export function readInline(paragraph: XmlElement, styles: OdfStyles): OdfInline {
  const builder = new TextBuilder();
  const inline: Omit<OdfInline, keyof BuiltText> = { frames: [], notes: [], comments: [], rawText: '' };
  append(paragraph, { builder, inline, styles });
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
    case 'text:span':
      if (!styles.isHiddenText(attribute(node, 'text:style-name'))) append(node, target);
      break;
    case 'text:tracked-changes':
    case 'text:hidden-text':
    case 'office:annotation-end':
      break;
    default:
      if (/^(?:draw|dr3d):/.test(node.name)) inline.frames.push(node);
      else if (childElements(node).length > 0 || node.children.length > 0) append(node, target);
  }
}

/** Jumps within the document are no addresses. */
const linkTarget = (href: string): string => (href.startsWith('#') ? '' : href);
