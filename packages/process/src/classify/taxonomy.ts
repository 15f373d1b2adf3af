/** A taxonomy as classifiers read it: each node with its path, and words for what it means. */
import type { TaxonomyNode } from '../blocks.ts';

export interface Label {
  /** The ids from the top to this node. */
  path: readonly string[];
  /** The labels from the top to this node, as words. */
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

/** What a document can be filed under. */
export const leavesOf = (labels: readonly Label[]): Label[] =>
  labels.flatMap((label) => (label.children.length === 0 ? [label] : leavesOf(label.children)));

/** `card_not_working`, `cardNotWorking`, `Sci/Tech` are words too. */
const asWords = (label: string): string =>
  label
    .replaceAll(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ')
    .replaceAll(/[_/|-]+/gu, ' ')
    .replaceAll(/\s+/gu, ' ')
    .trim();

const nameOf = ({ names }: Label): string => names.at(-1) ?? '';

/** Of what lies below a node. */
const MAX_MEMBERS = 30;

/** What a label means, in one text: its name and its description. */
const meaningOf = (label: Label): string => [nameOf(label), label.description].filter((text) => text !== '').join('. ');

/** A group is what its members are: it fits as well as the best of them. */
export const meaningsOf = (label: Label): { name: string; meaning: string }[] =>
  [label, ...leavesOf(label.children).slice(0, MAX_MEMBERS)].map((each) => ({
    name: nameOf(each),
    meaning: meaningOf(each),
  }));
