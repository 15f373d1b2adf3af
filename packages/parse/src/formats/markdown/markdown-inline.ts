import type { MarkKind } from '@quire/blocks/block';
import type { Token } from 'markdown-it';
import type { FlatText } from '../../structure/flatten-blocks.ts';
import { MARK_TAGS } from '../../structure/mark-tags.ts';
import { writtenAddresses } from './markdown-addresses.ts';

/**
 * Returns the plain text, the links and the marks of inline tokens. Emphasis is dropped; `<br>` and hard breaks become
 * line breaks.
 */
export function inlineText(tokens: readonly Token[]): FlatText {
  const inline: Inline = { text: '', links: [], open: [], openMarks: [] };
  let hiddenUntil: string | undefined;
  for (const token of tokens) {
    if (hiddenUntil !== undefined) {
      const ends = token.type === 'html_inline' && token.content.toLowerCase().startsWith(hiddenUntil);
      if (ends) hiddenUntil = undefined;
    } else if (token.type === 'html_inline') {
      hiddenUntil = appendHtml(inline, token.content);
    } else {
      append(inline, token);
    }
  }
  const { text, links, marks } = inline;
  return marks === undefined ? { text, links } : { text, links, marks };
}

interface Inline extends FlatText {
  /** Open links: their start and address. */
  open: { start: number; href: string }[];
  /** Open marks: their start and kind. */
  openMarks: { start: number; kind: MarkKind }[];
}

function append(inline: Inline, token: Token): void {
  switch (token.type) {
    case 'text':
      appendText(inline, token.content);
      break;
    case 'code_inline':
      appendCode(inline, token.content);
      break;
    // Renderers show a single line break of the source as a space.
    case 'softbreak':
      inline.text += ' ';
      break;
    case 'hardbreak':
      inline.text += '\n';
      break;
    case 'image':
      inline.text += inlineText(token.children ?? []).text;
      break;
    case 'formula':
      inline.text += token.markup + token.content + token.markup;
      break;
    case 'footnote_reference':
      inline.text += `[${token.content}]`;
      break;
    case 'link_open':
      inline.open.push({ start: inline.text.length, href: String(token.attrGet('href') ?? '') });
      break;
    case 'link_close': {
      const link = inline.open.pop();
      if (link && link.href !== '' && inline.text.length > link.start) {
        inline.links.push({ ...link, end: inline.text.length });
      }
      break;
    }
    case 's_open':
      openMark(inline, 'struck');
      break;
    case 's_close':
      closeMark(inline, 'struck');
      break;
    default:
    // Emphasis marks.
  }
}

const ROLE = /\{([a-z][\w:+.-]{0,40})\}$/;

/** Appends inline code. MyST names its role in braces: a formula, or words with a link target. */
function appendCode(inline: Inline, code: string): void {
  const role = ROLE.exec(inline.text.slice(-50))?.[1];
  if (role === undefined) {
    inline.text += code;
    return;
  }
  inline.text = inline.text.slice(0, -(role.length + 2));
  inline.text += role === 'math' ? `$${code}$` : code.replace(/(\S) *<[^<>]*>$/, '$1');
}

function appendText(inline: Inline, text: string): void {
  if (inline.open.length === 0) {
    const offset = inline.text.length;
    for (const { start, end, href } of writtenAddresses(text)) {
      inline.links.push({ start: start + offset, end: end + offset, href });
    }
  }
  inline.text += text;
}

const MARK_TAG = /^<(\/?)(del|s|strike|ins|sup|sub)\b/i;

/** Appends an inline tag. Returns the tag that ends a hidden part, if this one begins it. */
function appendHtml(inline: Inline, tag: string): string | undefined {
  if (/^<br\b/i.test(tag)) inline.text += '\n';
  const [, closing, name] = MARK_TAG.exec(tag) ?? [];
  const kind = name === undefined ? undefined : MARK_TAGS[name.toLowerCase()];
  if (kind !== undefined) (closing === '' ? openMark : closeMark)(inline, kind);
  const hidden = /^<(script|style|template|noscript)\b/i.exec(tag);
  return hidden?.[1] === undefined ? undefined : `</${hidden[1].toLowerCase()}`;
}

function openMark(inline: Inline, kind: MarkKind): void {
  inline.openMarks.push({ start: inline.text.length, kind });
}

/** Ends the last open mark of the kind; an end without a start is ignored. */
function closeMark(inline: Inline, kind: MarkKind): void {
  const at = inline.openMarks.findLastIndex((mark) => mark.kind === kind);
  const [open] = at < 0 ? [] : inline.openMarks.splice(at, 1);
  if (open !== undefined && inline.text.length > open.start) {
    (inline.marks ??= []).push({ ...open, end: inline.text.length });
  }
}
