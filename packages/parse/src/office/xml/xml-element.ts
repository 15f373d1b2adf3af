/** A tree of one XML element, for parts and paragraphs that are easier to read as trees. */
export type XmlAttributes = Readonly<Record<string, string>>;

export interface XmlElement {
  /** Name with the canonical prefix of its namespace, for example `w:p` (see namespaces.ts). */
  name: string;
  attributes: XmlAttributes;
  children: XmlNode[];
}

export type XmlNode = XmlElement | string;

export function child(element: XmlElement | undefined, name: string): XmlElement | undefined {
  if (!element) return undefined;
  for (const node of element.children) if (typeof node !== 'string' && node.name === name) return node;
  return undefined;
}

/** Follows a path of child names. */
export function descend(element: XmlElement | undefined, ...path: string[]): XmlElement | undefined {
  let current = element;
  for (const name of path) current = child(current, name);
  return current;
}

export function childElements(element: XmlElement | undefined): XmlElement[] {
  return element ? element.children.filter((node): node is XmlElement => typeof node !== 'string') : [];
}

export function childrenNamed(element: XmlElement | undefined, name: string): XmlElement[] {
  return childElements(element).filter((node) => node.name === name);
}

/** Yields every element with the name below `element` in document order, except inside matches. */
export function* descendants(element: XmlElement | undefined, name: string): Generator<XmlElement> {
  if (!element) return;
  for (const node of element.children) {
    if (typeof node === 'string') continue;
    if (node.name === name) yield node;
    else yield* descendants(node, name);
  }
}

export function firstDescendant(element: XmlElement | undefined, name: string): XmlElement | undefined {
  for (const found of descendants(element, name)) return found;
  return undefined;
}

/** Returns all text below the element unchanged. */
export function textOf(element: XmlElement | undefined): string {
  if (!element) return '';
  let text = '';
  for (const node of element.children) text += typeof node === 'string' ? node : textOf(node);
  return text;
}

export function attribute(element: XmlElement | undefined, name: string): string | undefined {
  return element?.attributes[name];
}

/** Returns an integer attribute; undefined if absent or not a number. */
export function integerAttribute(element: XmlElement | undefined, name: string): number | undefined {
  const value = Number.parseInt(element?.attributes[name] ?? '', 10);
  return Number.isNaN(value) ? undefined : value;
}

/**
 * Returns the value of an OOXML switch: an element without value means on; `0`, `false`, `off` and `none` mean off.
 * Undefined if absent.
 */
export function isOn(element: XmlElement | undefined, attributeName = 'w:val'): boolean | undefined {
  if (!element) return undefined;
  const value = element.attributes[attributeName];
  return value === undefined || !/^(?:0|false|off|none)$/i.test(value);
}
