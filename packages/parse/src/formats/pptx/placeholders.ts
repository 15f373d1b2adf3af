/** Resolves what a shape inherits from layout and master: position, and the bullets of each text level. */
import type { OfficePackage } from '../../office/package/office-package.ts';
import { attribute, child, descend, descendants } from '../../office/xml/xml-element.ts';
import type { XmlElement } from '../../office/xml/xml-element.ts';

export interface PlaceholderKey {
  type: string;
  index: string | undefined;
}

/** Returns the `p:ph` of a shape; undefined for ordinary shapes. A placeholder without a type holds content. */
export function placeholderOf(shape: XmlElement): PlaceholderKey | undefined {
  for (const properties of ['p:nvSpPr', 'p:nvPicPr', 'p:nvGraphicFramePr']) {
    const found = descend(shape, properties, 'p:nvPr', 'p:ph');
    if (found) return { type: attribute(found, 'type') ?? 'obj', index: attribute(found, 'idx') };
  }
  return undefined;
}

/** Placeholder types that are equivalent between slide, layout and master. */
const EQUIVALENT_TYPES: Readonly<Record<string, string>> = { ctrTitle: 'title', subTitle: 'body', obj: 'body' };

const equivalentType = (type: string): string => EQUIVALENT_TYPES[type] ?? type;

export class SlideTemplate {
  readonly #layout: XmlElement | undefined;
  readonly #master: XmlElement | undefined;

  constructor(officePackage: OfficePackage, slidePart: string, cache: Map<string, XmlElement | undefined>) {
    const load = (part: string | undefined): XmlElement | undefined => {
      if (part === undefined) return undefined;
      if (!cache.has(part)) cache.set(part, officePackage.optionalTree(part));
      return cache.get(part);
    };
    const layoutPart = officePackage.relatedPart(slidePart, 'slideLayout');
    this.#layout = load(layoutPart);
    const masterPart = layoutPart === undefined ? undefined : officePackage.relatedPart(layoutPart, 'slideMaster');
    this.#master = load(masterPart);
  }

  /** Returns the shapes that a placeholder inherits from, nearest first. */
  ancestors(key: PlaceholderKey): XmlElement[] {
    return [this.#find(this.#layout, key, true), this.#find(this.#master, key, false)].filter(
      (shape): shape is XmlElement => shape !== undefined,
    );
  }

  /** Returns the master's text style for the kind of placeholder (`p:titleStyle`, `p:bodyStyle`, `p:otherStyle`). */
  textStyle(key: PlaceholderKey | undefined): XmlElement | undefined {
    const kind = key === undefined ? 'other' : equivalentType(key.type);
    const name = kind === 'title' ? 'p:titleStyle' : kind === 'body' ? 'p:bodyStyle' : 'p:otherStyle';
    return descend(this.#master, 'p:txStyles', name);
  }

  #find(root: XmlElement | undefined, key: PlaceholderKey, byIndex: boolean): XmlElement | undefined {
    let equivalent: XmlElement | undefined;
    for (const shape of descendants(child(root, 'p:cSld'), 'p:sp')) {
      const candidate = placeholderOf(shape);
      if (!candidate) continue;
      if (byIndex && key.index !== undefined && candidate.index === key.index) return shape;
      if (equivalentType(candidate.type) === equivalentType(key.type)) equivalent ??= shape;
    }
    return equivalent;
  }
}
