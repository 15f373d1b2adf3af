/** List and heading numbers (numbering.xml): counts them as Word does and gives the label that a reader sees. */
import { attribute, child, childrenNamed, integerAttribute, isOn } from '../xml/xml-element.ts';
import type { XmlElement } from '../xml/xml-element.ts';
import { formatNumber } from '../build/number-format.ts';

export interface NumberLabel {
  bullet: boolean;
  /** As shown, e.g. `1.2.`, `(a)`, `Article 3`; empty for bullets. */
  label: string;
  /** The number alone, when the label is just that with a dot or bracket: an ordinary ordered list. */
  plainNumber: number | undefined;
}

interface Level {
  format: string;
  text: string;
  start: number;
  legal: boolean;
  /** The level whose advance restarts this one; 0 for never, undefined for any level above. */
  restart: number | undefined;
}

interface Instance {
  abstractId: string;
  overrides: Map<number, Level>;
  startOverrides: Map<number, number>;
}

const LEVELS = 9;
const FALLBACK: Level = { format: 'bullet', text: '', start: 1, legal: false, restart: undefined };

export class Numbering {
  readonly #abstracts = new Map<string, Map<number, Level>>();
  readonly #instances = new Map<string, Instance>();
  /** Current numbers by abstract list: instances of one abstract list count on together. */
  readonly #counters = new Map<string, (number | undefined)[]>();
  readonly #started = new Set<string>();

  constructor(root: XmlElement | undefined) {
    const styleLinks = new Map<string, string>();
    const pending: [string, string][] = [];
    for (const element of childrenNamed(root, 'w:abstractNum')) {
      const id = attribute(element, 'w:abstractNumId') ?? '';
      this.#abstracts.set(id, readLevels(element));
      const styleLink = attribute(child(element, 'w:styleLink'), 'w:val');
      if (styleLink !== undefined) styleLinks.set(styleLink, id);
      const numStyleLink = attribute(child(element, 'w:numStyleLink'), 'w:val');
      if (numStyleLink !== undefined) pending.push([id, numStyleLink]);
    }
    for (const [id, style] of pending) {
      const target = this.#abstracts.get(styleLinks.get(style) ?? '');
      if (target) this.#abstracts.set(id, target);
    }
    for (const element of childrenNamed(root, 'w:num')) {
      this.#instances.set(attribute(element, 'w:numId') ?? '', readInstance(element));
    }
  }

  /** Advances the list and labels its next paragraph; undefined when the paragraph has no number after all. */
  next(numId: string, levelIndex: number): NumberLabel | undefined {
    const instance = this.#instances.get(numId);
    if (!instance || numId === '0') return undefined;
    const index = Math.min(LEVELS - 1, Math.max(0, levelIndex));
    const counters = this.#advance(numId, instance, index);
    const level = this.#level(instance, index);
    if (level.format === 'bullet') return { bullet: true, label: '', plainNumber: undefined };
    const label = level.text.replaceAll(/%([1-9])/g, (_, digit: string) => {
      const position = Number(digit) - 1;
      const of = this.#level(instance, position);
      return formatNumber(counters[position] ?? of.start, level.legal ? 'decimal' : of.format);
    });
    const plain = level.format === 'decimal' && /^%\d[.)]?$/.test(level.text.trim());
    return { bullet: false, label: label.trim(), plainNumber: plain ? counters[index] : undefined };
  }

  #advance(numId: string, instance: Instance, index: number): (number | undefined)[] {
    const counters = this.#counters.get(instance.abstractId) ?? [];
    this.#counters.set(instance.abstractId, counters);
    const startKey = `${numId}/${index}`;
    const override = instance.startOverrides.get(index);
    if (override !== undefined && !this.#started.has(startKey)) counters[index] = override - 1;
    this.#started.add(startKey);
    counters[index] = (counters[index] ?? this.#level(instance, index).start - 1) + 1;
    for (let deeper = index + 1; deeper < LEVELS; deeper += 1) {
      const { restart } = this.#level(instance, deeper);
      if (restart === undefined || (restart > 0 && index < restart)) counters[deeper] = undefined;
    }
    return counters;
  }

  #level(instance: Instance, index: number): Level {
    return instance.overrides.get(index) ?? this.#abstracts.get(instance.abstractId)?.get(index) ?? FALLBACK;
  }
}

function readLevels(element: XmlElement): Map<number, Level> {
  return new Map(
    childrenNamed(element, 'w:lvl').map((level) => [integerAttribute(level, 'w:ilvl') ?? 0, readLevel(level)]),
  );
}

function readLevel(level: XmlElement): Level {
  return {
    format: attribute(child(level, 'w:numFmt'), 'w:val') ?? 'decimal',
    text: attribute(child(level, 'w:lvlText'), 'w:val') ?? '',
    start: integerAttribute(child(level, 'w:start'), 'w:val') ?? 1,
    legal: isOn(child(level, 'w:isLgl')) ?? false,
    restart: integerAttribute(child(level, 'w:lvlRestart'), 'w:val'),
  };
}

function readInstance(element: XmlElement): Instance {
  const instance: Instance = {
    abstractId: attribute(child(element, 'w:abstractNumId'), 'w:val') ?? '',
    overrides: new Map(),
    startOverrides: new Map(),
  };
  for (const override of childrenNamed(element, 'w:lvlOverride')) {
    const index = integerAttribute(override, 'w:ilvl') ?? 0;
    const level = child(override, 'w:lvl');
    if (level) instance.overrides.set(index, readLevel(level));
    const start = integerAttribute(child(override, 'w:startOverride'), 'w:val');
    if (start !== undefined) instance.startOverrides.set(index, start);
  }
  return instance;
}
