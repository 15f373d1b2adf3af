/** Counts list and heading numbers as Word does and returns the displayed labels. */
import { formatNumber } from './number-format.ts';

export interface NumberLabel {
  bullet: boolean;
  /** The displayed label, for example `1.2.`, `(a)`, `Article 3`; empty for bullets. */
  label: string;
  /** The number, if the label is only the number with a dot or bracket: an ordinary ordered list. */
  plainNumber: number | undefined;
}

export interface NumberLevel {
  /** A format name of `formatNumber`, or `bullet`. */
  format: string;
  /** Template in which `%1` and so on are the numbers of the levels. */
  text: string;
  start: number;
  legal: boolean;
  /** The level that restarts this one; 0 for none, undefined for any level above. */
  restart: number | undefined;
}

export interface NumberInstance {
  abstractId: string;
  overrides: Map<number, NumberLevel>;
  startOverrides: Map<number, number>;
}

const LEVELS = 9;
const FALLBACK: NumberLevel = { format: 'bullet', text: '', start: 1, legal: false, restart: undefined };

export class Numbering {
  readonly #abstracts: ReadonlyMap<string, ReadonlyMap<number, NumberLevel>>;
  readonly #instances: ReadonlyMap<string, NumberInstance>;
  /** Current numbers by abstract list; its instances share them. */
  readonly #counters = new Map<string, (number | undefined)[]>();
  readonly #started = new Set<string>();

  /** `abstracts` map level indexes to levels; paragraphs refer to `instances`. */
  constructor(
    abstracts: ReadonlyMap<string, ReadonlyMap<number, NumberLevel>>,
    instances: ReadonlyMap<string, NumberInstance>,
  ) {
    this.#abstracts = abstracts;
    this.#instances = instances;
  }

  /** Advances the list and returns the label of its next paragraph; undefined if the paragraph has no number. */
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
      return formatNumber(
        counters[position] ?? of.start,
        level.legal && of.format !== 'decimalZero' ? 'decimal' : of.format,
      );
    });
    const plain = level.format === 'decimal' && /^%\d[.)]?$/.test(level.text.trim());
    return { bullet: false, label: label.trim(), plainNumber: plain ? counters[index] : undefined };
  }

  #advance(numId: string, instance: NumberInstance, index: number): (number | undefined)[] {
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

  #level(instance: NumberInstance, index: number): NumberLevel {
    return instance.overrides.get(index) ?? this.#abstracts.get(instance.abstractId)?.get(index) ?? FALLBACK;
  }
}
