/** Reads the text of a shape as paragraphs and lists. Bullets come from the paragraph or are inherited. */
import type { BlockDraft, MarkKind } from '@quire/blocks/block';
import { ListBuilder } from '../../office/build/list-builder.ts';
import { formatNumber } from '../../office/build/number-format.ts';
import { cellContent } from '../../office/build/plain-text.ts';
import { rangesOf, TextBuilder, withLead } from '../../office/build/text-builder.ts';
import type { BuiltText } from '../../office/build/text-builder.ts';
import { ommlToLatex } from '../../latex/omml.ts';
import {
  attribute,
  child,
  childElements,
  childrenNamed,
  descend,
  integerAttribute,
  textOf,
} from '../../office/xml/xml-element.ts';
import type { XmlElement } from '../../office/xml/xml-element.ts';

/** External addresses by relationship id. */
export type LinkTargets = ReadonlyMap<string, string>;

interface Bullet {
  kind: 'none' | 'bullet' | 'number';
  /** Type of the `a:buAutoNum`, for example `arabicPeriod`. */
  scheme: string;
  start: number;
}

/** Reads paragraphs. `styles` are elements like `a:lstStyle` with `a:lvl1pPr` and so on, nearest first. */
export function readTextBody(
  body: XmlElement | undefined,
  styles: readonly XmlElement[],
  links: LinkTargets,
): BlockDraft[] {
  const blocks: BlockDraft[] = [];
  let list: ListBuilder | undefined;
  const counters: number[] = [];
  for (const paragraph of childrenNamed(body, 'a:p')) {
    const content = readParagraphText(paragraph, links);
    if (content.text === '') continue;
    const properties = child(paragraph, 'a:pPr');
    const level = integerAttribute(properties, 'lvl') ?? 0;
    const bullet = bulletOf(properties, level, styles);
    counters.length = level + 1;
    counters[level] = bullet.kind === 'number' ? (counters[level] ?? bullet.start - 1) + 1 : 0;
    if (bullet.kind === 'none') {
      list = undefined;
      blocks.push({ type: 'paragraph', text: content.text, ...rangesOf(content) });
      continue;
    }
    if (!list) {
      list = new ListBuilder();
    }
    const known = list.lists.length;
    list.add(entry(bullet, level, counters[level] ?? 1, content));
    blocks.push(...list.lists.slice(known));
  }
  return blocks;
}

function entry(bullet: Bullet, level: number, number: number, content: BuiltText): Parameters<ListBuilder['add']>[0] {
  if (bullet.kind === 'bullet') return { level, ordered: false, content };
  if (bullet.scheme.startsWith('arabic')) return { level, ordered: true, number, content };
  const label = numberLabel(bullet.scheme, number);
  return { level, ordered: false, content: withLead(`${label} `, content) };
}

/** Formats a number by its scheme: `alphaLcParenBoth` → (a), `romanUcPeriod` → IV. */
function numberLabel(scheme: string, number: number): string {
  const case_ = scheme.includes('Uc') ? 'upper' : 'lower';
  const format = scheme.startsWith('alpha')
    ? `${case_}Letter`
    : scheme.startsWith('roman')
      ? `${case_}Roman`
      : 'decimal';
  const digits = formatNumber(number, format);
  if (scheme.endsWith('ParenBoth')) return `(${digits})`;
  if (scheme.endsWith('ParenR')) return `${digits})`;
  return `${digits}.`;
}

function bulletOf(properties: XmlElement | undefined, level: number, styles: readonly XmlElement[]): Bullet {
  const sources = [properties, ...styles.map((style) => child(style, `a:lvl${level + 1}pPr`))];
  for (const source of sources) {
    for (const element of childElements(source)) {
      if (element.name === 'a:buNone') return { kind: 'none', scheme: '', start: 1 };
      if (element.name === 'a:buChar' || element.name === 'a:buBlip') return { kind: 'bullet', scheme: '', start: 1 };
      if (element.name === 'a:buAutoNum') {
        const scheme = attribute(element, 'type') ?? 'arabicPeriod';
        return { kind: 'number', scheme, start: integerAttribute(element, 'startAt') ?? 1 };
      }
    }
  }
  return { kind: 'none', scheme: '', start: 1 };
}

export function readParagraphText(paragraph: XmlElement, links: LinkTargets): BuiltText {
  const builder = new TextBuilder();
  appendText(paragraph, builder, links);
  return builder.finish();
}

/** Returns the marks of DrawingML's run properties: `strike`, and `baseline` in thousandths of a percent. */
function runMarks(properties: XmlElement | undefined): MarkKind[] {
  const strike = attribute(properties, 'strike') ?? 'noStrike';
  const baseline = integerAttribute(properties, 'baseline') ?? 0;
  const struck: MarkKind[] = strike === 'noStrike' ? [] : ['struck'];
  return baseline === 0 ? struck : [...struck, baseline > 0 ? 'raised' : 'lowered'];
}

function appendText(element: XmlElement, builder: TextBuilder, links: LinkTargets): void {
  for (const node of childElements(element)) {
    switch (node.name) {
      case 'a:r':
      case 'a:fld': {
        const click = attribute(descend(node, 'a:rPr', 'a:hlinkClick'), 'r:id');
        builder.openLink(links.get(click ?? '') ?? '');
        const start = builder.length;
        builder.append(textOf(child(node, 'a:t')).replaceAll('\v', '\n'));
        builder.mark(start, runMarks(child(node, 'a:rPr')));
        builder.closeLink();
        break;
      }
      case 'a:br':
        builder.append('\n');
        break;
      case 'm:oMath':
        builder.append(`$${ommlToLatex(node)}$`);
        break;
      case 'mc:AlternateContent':
        for (const choice of childElements(node).slice(0, 1)) appendText(choice, builder, links);
        break;
      case 'a:pPr':
      case 'a:endParaRPr':
        break;
      default:
        appendText(node, builder, links);
    }
  }
}

/** Returns all paragraphs as lines, for table cells and notes. */
export function plainTextBody(body: XmlElement | undefined, links: LinkTargets): BuiltText {
  return cellContent(
    childrenNamed(body, 'a:p').map((paragraph) => ({ type: 'paragraph', ...readParagraphText(paragraph, links) })),
  );
}
