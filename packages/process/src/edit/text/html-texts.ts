/** Finds the text of an HTML file by paragraph. Words split by inline tags form one text; tags and attributes stay. */
import { parse, type DefaultTreeAdapterTypes as Tree } from 'parse5';
import type { SplitText } from '../replace/split-text.ts';
import { escapeXml } from '../replace/scan-xml.ts';

const INLINE = new Set(
  'a abbr b bdi bdo cite code data del dfn em font i ins kbd label mark q s samp small span strike strong sub sup time tt u var wbr'.split(
    ' ',
  ),
);
const PREFORMATTED = new Set(['pre', 'textarea']);
const NO_TEXT = new Set(['script', 'style', 'template', 'noscript', 'iframe']);

/** A node to read, or the end of a block. */
interface OpenNode {
  node: Tree.ChildNode | 'end';
  /** Whether it is inside an element that displays white space as written. */
  preformatted: boolean;
}

export function htmlTexts(source: string): SplitText[] {
  const reader = new HtmlTextReader(source);
  reader.read(parse(source, { sourceCodeLocationInfo: true, scriptingEnabled: false }));
  reader.endText();
  return reader.texts;
}

class HtmlTextReader {
  readonly texts: SplitText[] = [];
  readonly #source: string;
  #splitText: SplitText = { pieces: [] };

  constructor(source: string) {
    this.#source = source;
  }

  endText(): void {
    if (this.#splitText.pieces.length > 0) this.texts.push(this.#splitText);
    this.#splitText = { pieces: [] };
  }

  /** Iterates instead of recursing, since pages nest up to a thousand levels. */
  read(root: Tree.ParentNode): void {
    const open: OpenNode[] = [];
    const push = (parent: Tree.ParentNode, preformatted: boolean): void => {
      for (const node of parent.childNodes.toReversed()) open.push({ node, preformatted });
    };
    push(root, false);
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      const { node, preformatted } = next;
      if (node === 'end') this.endText();
      else if (node.nodeName === '#text') this.#text(node as Tree.TextNode, preformatted);
      else if (node.nodeName === 'br') this.#break(node);
      else if ('childNodes' in node && !NO_TEXT.has(node.nodeName)) {
        if (!INLINE.has(node.nodeName)) {
          this.endText();
          open.push({ node: 'end', preformatted });
        }
        push(node, preformatted || PREFORMATTED.has(node.nodeName));
      }
    }
  }

  #text(node: Tree.TextNode, preformatted: boolean): void {
    const place = node.sourceCodeLocation;
    if (!place) return;
    const { startOffset: start, endOffset } = place;
    const source = this.#source.slice(start, endOffset);
    const tag = source.indexOf('<');
    // The parser adds white space after </body> to the body's text; such a text ends at the tag. Other texts that
    // contain tags were moved by the parser (out of a table) and have no position of their own.
    if (tag >= 0 && !/^(?:<\/[a-z]+\s*>|\s)*$/i.test(source.slice(tag))) return;
    const own = tag < 0 ? source : source.slice(0, tag);
    const value = tag < 0 ? node.value : node.value.trimEnd() + own.slice(own.trimEnd().length);
    if (own === '') return;
    const text = preformatted ? value : value.replace(/[ \t\r\n\f]+/g, ' ');
    const end = start + own.length;
    this.#splitText.pieces.push({ start, end, text, encode: (edited) => ({ source: encode(edited) }) });
  }

  #break(node: Tree.ChildNode): void {
    const place = node.sourceCodeLocation;
    if (place) this.#splitText.pieces.push({ start: place.startOffset, end: place.endOffset, text: '\n' });
  }
}

const encode = (text: string): string => escapeXml(text).replaceAll('\u00a0', '&nbsp;');
