/** The taxonomy as classifiers use it: each node with its path and texts that state its meaning. */
import type { TaxonomyNode } from '../blocks.ts';

export interface Label {
  /** Ids from the root to this node. */
  path: readonly string[];
  /** Labels from the root to this node, as words. */
  names: readonly string[];
  description: string;
  children: readonly Label[];
}

export function labelsOf(nodes: readonly TaxonomyNode[], above: Pick<Label, 'path' | 'names'> = TOP): Label[] {
  return nodes.map(({ id, label, description = '', children = [] }) => {
    const here = { path: [...above.path, id], names: [...above.names, asWords(label)] };
    return { ...here, description, children: labelsOf(children, here) };
  });
}

const TOP = { path: [], names: [] };

/** Returns the labels that a document can be assigned to. */
export const leavesOf = (labels: readonly Label[]): Label[] =>
  labels.flatMap((label) => (label.children.length === 0 ? [label] : leavesOf(label.children)));

/** Splits `card_not_working`, `cardNotWorking` and `Sci/Tech` into words. */
const asWords = (label: string): string =>
  label
    .replaceAll(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ')
    .replaceAll(/[_/|-]+/gu, ' ')
    .replaceAll(/\s+/gu, ' ')
    .trim();

const nameOf = ({ names }: Label): string => names.at(-1) ?? '';

/** Maximum number of descendants that describe a node. */
const MAX_MEMBERS = 30;

/** Returns the label's name and description as one text. */
const meaningOf = (label: Label): string => [nameOf(label), label.description].filter((text) => text !== '').join('. ');

const meanings = new WeakMap<Label, readonly Meaning[]>();

interface Meaning {
  name: string;
  meaning: string;
}

/** Returns the texts of a label's members. A group fits as well as its best member. */
export function meaningsOf(label: Label): readonly Meaning[] {
  const known = meanings.get(label);
  if (known !== undefined) return known;
  const members = [label, ...leavesOf(label.children).slice(0, MAX_MEMBERS)];
  const found = members.map((each) => ({ name: nameOf(each), meaning: meaningOf(each) }));
  meanings.set(label, found);
  return found;
}
