/**
 * Streaming XML parser for document parts. Elements arrive as events, or as small trees if the handler requests it. A
 * DOCTYPE is refused, so entities cannot expand or refer to other resources.
 */
import { ContentError } from '@quire/blocks/content-error';
import { decodeXml } from './decode-xml.ts';
import { NameScope } from './name-scope.ts';
import type { XmlAttributes, XmlElement } from './xml-element.ts';
import { XmlError, XmlScanner } from './xml-scanner.ts';
import type { ScannerEvents } from './xml-scanner.ts';

export interface XmlHandler {
  /**
   * Called at the start of an element. Returns true to receive it as a tree through `element` instead of further
   * events.
   */
  open(name: string, attributes: XmlAttributes): boolean;
  close?(name: string): void;
  text?(text: string): void;
  element?(element: XmlElement): void;
}

export interface XmlOptions {
  /** Accepts a DOCTYPE without an internal subset, which has no effect. Old ODF manifests have one. */
  allowPlainDoctype?: boolean;
  /** Matches unused content that is removed before parsing: parsing takes 10 ms per megabyte, removal 0.2 ms. */
  strip?: RegExp;
}

/** Maximum nesting, because readers are recursive; Word writes fewer than 100 levels. */
const MAX_DEPTH = 400;
/** Maximum number of nodes in a tree, about 1 GB of small objects. */
const MAX_TREE_NODES = 5_000_000;

export function parseXml(chunks: Iterable<Uint8Array>, handler: XmlHandler, options: XmlOptions = {}): void {
  const scanner = new XmlScanner(new TreeEvents(handler, options));
  try {
    const texts = options.strip ? [[...decodeXml(chunks)].join('').replaceAll(options.strip, '')] : decodeXml(chunks);
    for (const text of texts) scanner.write(text);
    scanner.end();
  } catch (error) {
    if (error instanceof XmlError) {
      throw new ContentError('corrupt', 'The file is damaged: it contains malformed XML', { cause: error });
    }
    throw error;
  }
}

/** Returns the whole part as a tree. */
export function parseXmlTree(chunks: Iterable<Uint8Array>, options?: XmlOptions): XmlElement {
  let root: XmlElement | undefined;
  const handler: XmlHandler = {
    open: () => true,
    element(element) {
      root = element;
    },
  };
  parseXml(chunks, handler, options);
  if (!root) throw new ContentError('corrupt', 'The file is damaged: one of its parts is empty');
  return root;
}

/** Converts scanner events for the handler: canonical names, and trees where requested. */
class TreeEvents implements ScannerEvents {
  readonly #handler: XmlHandler;
  readonly #options: XmlOptions;
  readonly #scope = new NameScope();
  /** Open elements of the tree under construction, outermost first. */
  readonly #building: XmlElement[] = [];
  #depth = 0;
  #nodes = 0;

  constructor(handler: XmlHandler, options: XmlOptions) {
    this.#handler = handler;
    this.#options = options;
  }

  open(tagName: string, tagAttributes: XmlAttributes, declares: boolean): void {
    this.#depth += 1;
    if (this.#depth > MAX_DEPTH) throw new ContentError('corrupt', 'The file is damaged: its XML is nested too deep');
    const attributes = this.#scope.enter(tagAttributes, declares);
    const name = this.#scope.name(tagName);
    const parent = this.#building.at(-1);
    if (!parent) {
      this.#nodes = 0;
      if (!this.#handler.open(name, attributes)) return;
    }
    this.#nodes += 1;
    if (this.#nodes > MAX_TREE_NODES) {
      throw new ContentError('too_large', 'A paragraph or slide of the file is too large');
    }
    const element: XmlElement = { name, attributes, children: [] };
    parent?.children.push(element);
    this.#building.push(element);
  }

  close(tagName: string): void {
    this.#depth -= 1;
    const element = this.#building.pop();
    if (!element) this.#handler.close?.(this.#scope.name(tagName));
    else if (this.#building.length === 0) this.#handler.element?.(element);
    this.#scope.leave();
  }

  text(text: string): void {
    const parent = this.#building.at(-1);
    if (parent) parent.children.push(text);
    else this.#handler.text?.(text);
  }

  doctype(text: string): void {
    if (this.#options.allowPlainDoctype === true && !text.includes('[')) return;
    throw new ContentError(
      'corrupt',
      'The file is refused: its XML declares a document type, which office files never do',
    );
  }
}
