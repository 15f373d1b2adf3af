import type { TextLink } from './block.ts';
import { safeHref } from './safe-href.ts';

/** What means something anywhere in a line. Stars between spaces and underscores inside words do not. */
const INLINE = /[\\`[~]|\*(?!\s)|(?<!\s)\*|<(?=\S)|&(?=#?\w+;)|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])|!$/gu;
/** GFM makes links of bare addresses and takes their characters as they are, backslashes too: broken up if it has any. */
const BARE_ADDRESS = /(https?)(:\/\/)(?=\S{0,2000}[\\`*[\]~<&_|])|(www)(\.)(?=\S{0,2000}[\\`*[\]~<&_|])/gi;
/** Headings, quotes, list items, formulas, and lines that would be a rule, an underline or a table's second row. */
const LINE_START = /^(?:(#{1,6}(?=\s|$)|>|[-+*](?=\s|$)|[-=|:](?=[-=|:*_\s]*$)|\$\$)|(\d{1,9})([.)](?=\s|$)))/;

interface InlineOptions {
  /** Inside brackets: closing ones are escaped. */
  label?: boolean;
  /** Inside a pipe table: bars are escaped. */
  cell?: boolean;
  /** What a line break becomes. */
  lineBreak: string;
}

/** Plain text with links as one Markdown inline: every character that would mean something is escaped, no others. */
export function inlineMarkdown(text: string, links: readonly TextLink[] | undefined, options: InlineOptions): string {
  let markdown = '';
  let from = 0;
  for (const link of (links ?? []).toSorted((a, b) => a.start - b.start)) {
    const href = safeHref(link.href);
    if (href === null || link.start < from || link.end > text.length || link.end <= link.start) continue;
    const label = escapeLabel(text.slice(link.start, link.end));
    markdown += `${escapeInline(text.slice(from, link.start))}[${label}](${destination(href)})`;
    from = link.end;
  }
  markdown += options.label === true ? escapeLabel(text.slice(from)) : escapeInline(text.slice(from));
  if (options.cell === true) markdown = markdown.replaceAll('|', '\\|');
  const lines = markdown.split('\n').map((line) => (options.cell === true ? line : escapeLineStart(line)));
  return lines.join(options.lineBreak);
}

function escapeInline(text: string): string {
  return text
    .replace(INLINE, '\\$&')
    .replace(BARE_ADDRESS, (_all, scheme?: string, slashes?: string, www?: string) =>
      scheme === undefined ? `${www ?? ''}\\.` : `${scheme}\\${slashes ?? ''}`,
    );
}

function escapeLabel(text: string): string {
  return escapeInline(text).replaceAll(']', '\\]');
}

function escapeLineStart(line: string): string {
  return line.replace(LINE_START, (_all, mark?: string, digits?: string, end?: string) =>
    mark === undefined ? `${digits ?? ''}\\${end ?? ''}` : `\\${mark}`,
  );
}

function destination(href: string): string {
  return /^[^\s<>()\\|]+$/.test(href) ? href : `<${href.replace(/[<>\\|\s]/g, (c) => encodeURIComponent(c))}>`;
}
