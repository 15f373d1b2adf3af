/** Collects the single values and lists that a schema requests, with the meaning of their names and descriptions. */
import type { Shape } from '../../schema/shape.ts';
import { emptyValue, isMissing } from '../assignment/fill.ts';
import { wordsOf, wordsOfName, type PhraseBook } from '../labels/phrase-book.ts';
import { contentOf, type Content } from './content.ts';
import { isArrayShape, isObjectShape, variantsOf } from './variants.ts';
import { CONCEPTS, type ValueKind } from '../lexicon/concepts.ts';
import { GENERIC_WORDS, NAME_LABELS } from '../lexicon/lexicon.ts';

export interface Field {
  /** The variant that the value must match, and the key under which it is filled. */
  shape: Shape;
  name: string;
  /** Target of the field's own words in the phrase book. */
  nameTarget: string;
  /** How well a label names this field (0..1), by the concept or the field's own words that it contains. */
  targets: ReadonlyMap<string, number>;
  kinds: readonly ValueKind[];
  /** The content of its texts by its name. */
  content: Content | null;
  /** Words of the name and title, and of the description, without generic words. */
  nameWords: ReadonlySet<string>;
  descriptionWords: ReadonlySet<string>;
  list: boolean;
  /** Whether the field belongs to the recipient of the document. */
  ofCustomer: boolean;
  /** Whether the data cannot be written without a value. */
  mandatory: boolean;
}

const MAX_FIELDS = 3_000;
const DESCRIPTION_AFFINITY = 0.62;
const PARENT_AFFINITY = 0.97;
/** Weight of a modifying concept: `vendorVatId` is an id, and the words before it state whose. */
const MODIFIER = 0.5;

interface Place {
  shape: Shape;
  name: string;
  parents: readonly string[];
  mandatory: boolean;
}

/** Concepts that refer to the recipient of a document. */
export const CUSTOMER_CONCEPTS: ReadonlySet<string> = new Set(['customerName', 'customerAddress', 'shippingAddress']);

export type Level = 'document' | 'row';

/** Concepts that occur only in a whole document, or only in one of its rows. */
const EXCLUDED_CONCEPTS: Readonly<Record<Level, ReadonlySet<string>>> = {
  document: new Set(['lineTotal', 'position', 'unit']),
  row: new Set(['total', 'subtotal', 'paid', 'balance', 'documentNumber', 'vendorName', 'personName', 'totalQuantity']),
};

/** Collects the fields of the data's own levels. Rows of lists of objects are collected list by list. */
export function collectFields(
  root: Shape,
  phrases: PhraseBook,
  level: Level = 'document',
): { fields: Field[]; tables: Field[] } {
  const fields: Field[] = [];
  const tables: Field[] = [];
  const open: Place[] = [{ shape: root, name: '', parents: [], mandatory: true }];
  for (let next = open.shift(); next !== undefined && fields.length < MAX_FIELDS; next = open.shift()) {
    const { name, parents } = next;
    for (const shape of variantsOf(next.shape)) {
      if (shape.cut) continue;
      if (isObjectShape(shape)) {
        const inner = name === '' ? parents : [...parents, name];
        for (const [key, value] of shape.properties) {
          const mandatory = next.mandatory && shape.required.has(key);
          open.push({ shape: value, name: key, parents: inner, mandatory });
        }
      } else if (isArrayShape(shape)) {
        const items = shape.items === null ? [] : variantsOf(shape.items);
        if (items.some(isObjectShape)) tables.push(fieldOf(shape, name, parents, phrases, level));
        else if (shape.items !== null) fields.push({ ...fieldOf(shape, name, parents, phrases, level), list: true });
        for (const [index, item] of shape.prefixItems.entries())
          open.push({ shape: item, name: String(index), parents: [...parents, name], mandatory: false });
      } else {
        const mandatory = next.mandatory && isMissing(emptyValue(shape, name));
        fields.push({ ...fieldOf(shape, name, parents, phrases, level), mandatory });
      }
    }
  }
  // Field names are added last, because they would hide phrases of the lexicon in the other names.
  for (const field of [...fields, ...tables]) learnPhrases(field, phrases);
  return { fields, tables };
}

/** Returns the fields of one row of a list of objects, including those of inner objects and lists in one cell. */
export function rowFields(row: Shape, phrases: PhraseBook): Field[] {
  return collectFields(row, phrases, 'row').fields;
}

function fieldOf(shape: Shape, name: string, parents: readonly string[], phrases: PhraseBook, level: Level): Field {
  const words = wordsOfName(name);
  const targets = new Map<string, number>();
  const learn = (text: readonly string[], affinity: number, isName: boolean): void => {
    const matches = phrases.find(text);
    const head = matches.find(({ end, weight }) => end === text.length && weight === 1);
    for (const match of matches) {
      if (EXCLUDED_CONCEPTS[level].has(match.target)) continue;
      const coverage = (match.end - match.start) / Math.max(1, text.length);
      const modifies =
        isName && head !== undefined && match.end <= head.start && isOtherKind(match.target, head.target);
      const value = affinity * match.weight * (0.55 + 0.45 * coverage) * (modifies ? MODIFIER : 1);
      targets.set(match.target, Math.max(targets.get(match.target) ?? 0, value));
    }
  };
  const parent = parents.at(-1) ?? '';
  const parentWords = wordsOfName(parent);
  const together = [...parentWords, ...words];
  // `vendor: { name }` is the vendor's name, not just any name.
  const joint = phrases.find(together).some(({ start, end }) => start < parentWords.length && end === together.length);
  if (joint) learn(together, PARENT_AFFINITY, true);
  else if (NAME_LABELS.has(words.join(' ')) && isParty(parentWords, phrases)) learn(parentWords, PARENT_AFFINITY, true);
  else learn(words, 1, true);
  if (shape.title !== '') learn(wordsOf(shape.title), 0.98, true);
  learn(wordsOf(shape.description).slice(0, 40), DESCRIPTION_AFFINITY, false);
  const nameTarget = phrases.newTarget();
  targets.set(nameTarget, 1);
  const kept = asText(strongest(targets), shape);
  return {
    shape,
    name,
    nameTarget,
    targets: kept,
    kinds: kindsOf(shape, name, kept),
    content: shape.allowed === null && shape.types?.has('string') === true ? contentOf(words) : null,
    nameWords: contentWords([...words, ...wordsOf(shape.title)]),
    descriptionWords: contentWords(wordsOf(shape.description)),
    list: false,
    ofCustomer: isOfCustomer([...parents, name], phrases),
    mandatory: false,
  };
}

/** Returns whether the words are exactly the role of a party, such as `customer`. */
const isParty = (words: readonly string[], phrases: PhraseBook): boolean =>
  phrases
    .find(words)
    .some(
      ({ target, weight, start, end }) =>
        start === 0 && end === words.length && weight > 0.9 && ['customerName', 'vendorName'].includes(target),
    );

/** Returns whether two concepts have values of different kinds, such as a company and its number. */
const isOtherKind = (a: string, b: string): boolean => CONCEPTS[a]?.[0] !== CONCEPTS[b]?.[0];

/** Drops concepts of amounts from text fields: `vat` is a registration number as text, and an amount as number. */
function asText(targets: Map<string, number>, { types, format }: Shape): Map<string, number> {
  const kindOf = (target: string): ValueKind | undefined => CONCEPTS[target]?.[0];
  if (types === null || types.has('number') || types.has('integer') || format !== null) return targets;
  const best = Math.max(...targets.values());
  const identifier = [...targets].some(
    ([target, affinity]) => affinity >= best - 0.01 && ['vat', 'id'].includes(kindOf(target) ?? ''),
  );
  return identifier ? new Map([...targets].filter(([target]) => kindOf(target) !== 'amount')) : targets;
}

function isOfCustomer(names: readonly string[], phrases: PhraseBook): boolean {
  return names.some((name) =>
    phrases.find(wordsOfName(name)).some(({ target, weight }) => weight > 0.9 && CUSTOMER_CONCEPTS.has(target)),
  );
}

function learnPhrases({ name, nameTarget, shape }: Field, phrases: PhraseBook): void {
  const words = wordsOfName(name);
  if (words.some((word) => !GENERIC_WORDS.has(word))) phrases.add(words.join(' '), nameTarget, 1);
  if (shape.title !== '' && wordsOf(shape.title).length <= 6) phrases.add(shape.title, nameTarget, 0.98);
}

/** Drops concepts that match much worse than the best one. */
function strongest(targets: ReadonlyMap<string, number>): Map<string, number> {
  const concepts = [...targets].filter(([target]) => target in CONCEPTS);
  const best = Math.max(0, ...concepts.map(([, affinity]) => affinity));
  return new Map([...targets].filter(([target, affinity]) => !(target in CONCEPTS) || affinity >= best * 0.7));
}

const contentWords = (words: readonly string[]): Set<string> =>
  new Set(words.filter((word) => !GENERIC_WORDS.has(word) && word.length > 1));

const FORMATS: Readonly<Record<string, readonly ValueKind[]>> = {
  date: ['date'],
  'date-time': ['date'],
  duration: ['duration'],
  email: ['email'],
  'idn-email': ['email'],
  uri: ['url'],
  url: ['url'],
  iri: ['url'],
  'uri-reference': ['url'],
};

/** Kinds by field name, for fields without a concept. */
const NAME_KINDS: readonly (readonly [RegExp, readonly ValueKind[]])[] = [
  [/^(?:date|datum|fecha|data|day|dob)$/, ['date']],
  [/^(?:email|mail)$/, ['email']],
  [/^(?:phone|tel|telephone|fax|mobile)$/, ['phone']],
  [/^(?:url|website|web|link|href|uri)$/, ['url']],
  [/^(?:percent|percentage|rate|pct)$/, ['percent', 'number']],
  [/^(?:amount|price|cost|fee|total|sum|salary|balance|betrag|montant)$/, ['amount', 'number']],
  [/^(?:number|no|nr|num|id|code|reference|ref|nummer|numero)$/, ['id']],
  [/^(?:duration|term|period)$/, ['duration', 'text']],
];

function kindsOf(shape: Shape, name: string, targets: ReadonlyMap<string, number>): readonly ValueKind[] {
  const { types } = shape.items === null ? shape : (variantsOf(shape.items)[0] ?? shape);
  const concepts = [...targets].filter(([target]) => target in CONCEPTS).toSorted((a, b) => b[1] - a[1]);
  const known = concepts.flatMap(([target]) => CONCEPTS[target] ?? []);
  const words = wordsOfName(name);
  const named = NAME_KINDS.find(([pattern]) => words.some((word) => pattern.test(word)))?.[1] ?? [];
  const only = (type: 'number' | 'integer' | 'boolean' | 'string'): boolean =>
    types !== null && types.has(type) && [...types].every((other) => other === type || other === 'null');
  if (only('boolean')) return ['boolean'];
  if (only('number') || only('integer')) {
    const wanted = [...known, ...named].filter((kind) => ['amount', 'percent', 'number', 'id'].includes(kind));
    return wanted.length > 0 ? [...new Set<ValueKind>([...wanted, 'number'])] : ['number', 'amount', 'percent'];
  }
  const format = shape.format === null ? undefined : FORMATS[shape.format];
  if (format !== undefined) return format;
  if (shape.allowed !== null) return ['text'];
  if (known.length > 0) return [...new Set(known)];
  return named.length > 0 ? [...named, 'text'] : ['text'];
}
