import { canonicalPrefix, isCanonical } from './namespaces.ts';
import type { XmlAttributes } from './xml-element.ts';

type Renames = ReadonlyMap<string, string>;

const NONE: Renames = new Map();

/**
 * Tracks namespace declarations and renames elements and attributes to canonical prefixes. Most files use the usual
 * prefixes, so `renames` is usually empty and names are not changed.
 */
export class NameScope {
  /** Renames to restore at the end of the element at each depth. */
  readonly #stack: { depth: number; renames: Renames }[] = [];
  #depth = 0;
  #renames = NONE;

  /**
   * Enters an element and returns its attributes renamed and without namespace declarations. `declares` states whether
   * there are any.
   */
  enter(attributes: XmlAttributes, declares = declaresNamespace(attributes)): XmlAttributes {
    this.#depth += 1;
    if (declares) {
      this.#stack.push({ depth: this.#depth, renames: this.#renames });
      this.#renames = this.#declare(attributes);
    } else if (this.#renames.size === 0) {
      return attributes;
    }
    const renamed: Record<string, string> = {};
    for (const [key, value] of Object.entries(attributes)) {
      if (key === 'xmlns' || key.startsWith('xmlns:')) continue;
      renamed[key.includes(':') ? this.name(key) : key] = value;
    }
    return renamed;
  }

  leave(): void {
    if (this.#stack.at(-1)?.depth === this.#depth) this.#renames = this.#stack.pop()?.renames ?? NONE;
    this.#depth -= 1;
  }

  /** Returns the canonical form of a name within the current element. */
  name(name: string): string {
    if (this.#renames.size === 0) return name;
    const colon = name.indexOf(':');
    const prefix = colon < 0 ? '' : name.slice(0, colon);
    const replacement = this.#renames.get(prefix);
    if (replacement === undefined) return name;
    const local = name.slice(colon + 1);
    return replacement === '' ? local : `${replacement}:${local}`;
  }

  #declare(attributes: XmlAttributes): Renames {
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

function declaresNamespace(attributes: XmlAttributes): boolean {
  for (const name in attributes) if (name.startsWith('xmlns')) return true;
  return false;
}
