import type { PhrasingContent } from 'mdast';
import type { TextLink } from '../../content/block.ts';
import type { FlatText } from './flatten-blocks.ts';

/** Targets by label, in lower case with single spaces. */
export type LinkTargets = ReadonlyMap<string, string>;

/** The plain text of Markdown inlines and the links in it. Marks of emphasis vanish, `<br>` and hard breaks are lines. */
export function inlineText(nodes: readonly PhrasingContent[], targets: LinkTargets): FlatText {
  const inline = { text: '', links: [], targets };
  append(inline, nodes);
  return { text: inline.text, links: inline.links };
}

interface Inline extends FlatText {
  targets: LinkTargets;
}

function append(inline: Inline, nodes: readonly PhrasingContent[]): void {
  let hiddenUntil: string | undefined;
  for (const node of nodes) {
    if (hiddenUntil !== undefined) {
      if (node.type === 'html' && node.value.toLowerCase().startsWith(hiddenUntil)) hiddenUntil = undefined;
    } else if (node.type === 'html') {
      hiddenUntil = appendHtml(inline, node.value);
    } else {
      appendNode(inline, node);
    }
  }
}

function appendNode(inline: Inline, node: Exclude<PhrasingContent, { type: 'html' }>): void {
  switch (node.type) {
    case 'text':
      // A single line break in the source is a space to every renderer.
      inline.text += node.value.replaceAll('\n', ' ');
      break;
    case 'inlineCode':
      inline.text += node.value;
      break;
    case 'break':
      inline.text += '\n';
      break;
    case 'image':
    case 'imageReference':
      inline.text += node.alt ?? '';
      break;
    case 'link':
      appendLink(inline, node.children, node.url);
      break;
    case 'linkReference':
      appendLink(inline, node.children, inline.targets.get(node.identifier.toLowerCase()) ?? '');
      break;
    case 'footnoteReference':
      inline.text += `[${node.label ?? node.identifier}]`;
      break;
    case 'emphasis':
    case 'strong':
    case 'delete':
      append(inline, node.children);
      break;
  }
}

function appendLink(inline: Inline, children: readonly PhrasingContent[], href: string): void {
  const start = inline.text.length;
  append(inline, children);
  const link: TextLink = { start, end: inline.text.length, href };
  if (link.end > start && href !== '') inline.links.push(link);
}

/** A tag between inlines. Answers what ends the part that is not shown, for the tags that open one. */
function appendHtml(inline: Inline, tag: string): string | undefined {
  if (/^<br\b/i.test(tag)) inline.text += '\n';
  const hidden = /^<(script|style|template|noscript)\b/i.exec(tag);
  return hidden?.[1] === undefined ? undefined : `</${hidden[1].toLowerCase()}`;
}
