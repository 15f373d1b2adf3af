import { canonicalPrefix, isCanonical } from './namespaces.ts';
import type { XmlAttributes } from './xml-element.ts';

type Renames = ReadonlyMap<string, string>;

const NONE: Renames = new Map();

/**
 * Follows namespace declarations and renames elements and attributes to canonical prefixes. Nearly every file declares
 * the usual prefixes, so `renames` is nearly always empty and names pass through untouched.
 */
export class NameScope {
  readonly #stack: Renames[] = [];
  #renames = NONE;

  /** Enters an element; the answer holds only its real attributes, renamed. */
  enter(attributes: Record<string, string>): XmlAttributes {
    this.#stack.push(this.#renames);
    let declares = false;
    for (const key in attributes) {
      if (key.startsWith('xmlns')) {
        declares = true;
        break;
      }
    }
    if (declares) this.#renames = this.#declare(attributes);
    if (!declares && this.#renames.size === 0) return attributes;
    const renamed: Record<string, string> = {};
    for (const [key, value] of Object.entries(attributes)) {
      if (key === 'xmlns' || key.startsWith('xmlns:')) continue;
      renamed[key.includes(':') ? this.name(key) : key] = value;
    }
    return renamed;
  }

  leave(): void {
    this.#renames = this.#stack.pop() ?? NONE;
  }

  /** The canonical form of a name within the element entered last. */
  name(name: string): string {
    if (this.#renames.size === 0) return name;
    const colon = name.indexOf(':');
    const prefix = colon < 0 ? '' : name.slice(0, colon);
    const replacement = this.#renames.get(prefix);
    if (replacement === undefined) return name;
    const local = name.slice(colon + 1);
    return replacement === '' ? local : `${replacement}:${local}`;
  }

  #declare(attributes: Record<string, string>): Renames {
    const renames = new Map(this.#renames);
    for (const [key, address] of Object.entries(attributes)) {
      if (key !== 'xmlns' && !key.startsWith('xmlns:')) continue;
      const prefix = key === 'xmlns' ? '' : key.slice(6);
      const canonical = canonicalPrefix(address);
      if (canonical === prefix) renames.delete(prefix);
      else if (canonical !== undefined) renames.set(prefix, canonical);
      else if (prefix !== '' && isCanonical(prefix)) renames.set(prefix, `other-${prefix}`);
      else renames.delete(prefix);
    }
    return renames.size === 0 ? NONE : renames;
  }
}
