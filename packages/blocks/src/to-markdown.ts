/**
 * Renders a block tree as GitHub-flavoured Markdown. Every table becomes a pipe table with its first row as header,
 * because pipe tables require one; short spanning cells are repeated and line breaks become `<br>`. Formulas are `$$`
 * blocks, page breaks are comments with the page number. Quire's Markdown reader returns the same text from the result.
 */
import type { Block, BlockType, DocumentTree } from './block.ts';
import { inlineMarkdown } from './escape-markdown.ts';
import { Room } from './room.ts';
import { repeatedTexts, tableGrid } from './table-grid.ts';
import { maxGridPositions } from './table-spans.ts';

/**
 * Maximum length of a spanning cell's text that is repeated, in UTF-16 units; repeating longer texts would multiply the
 * document.
 */
const MAX_REPEATED_CHARACTERS = 200;
/** Maximum length of a figure's text that becomes alternative text; longer text becomes a paragraph. */
const MAX_ALTERNATIVE_CHARACTERS = 300;
const HARD_BREAK = '  \n';

/**
 * Ends with a line break unless the tree is empty. Throws `ContentError` `too_large` for a result of more than
 * `maxLength` UTF-16 units.
 */
export function toMarkdown(tree: DocumentTree, maxLength = Infinity): string {
  const body = renderBlocks(tree.blocks, new Room(maxLength));
  return body === '' ? '' : `${body}\n`;
}

/** Renders blocks as Markdown without a line break at the end. */
function renderBlocks(blocks: readonly Block[], room: Room): string {
  const parts: string[] = [];
  let before: Block | undefined;
  let alternate = false;
  for (const block of blocks) {
    // Two adjacent lists would be read as one, so the second uses the other marker.
    const follows = before?.type === 'list' && block.type === 'list' && before.ordered === block.ordered;
    alternate = follows && !alternate;
    const part = RENDERERS[block.type](block, room, alternate);
    if (part === '') continue;
    parts.push(part);
    before = block;
  }
  return parts.join('\n\n');
}

const RENDERERS: Readonly<Record<BlockType, (block: Block, room: Room, alternate: boolean) => string>> = {
  section: (block, room) => renderBlocks(block.children ?? [], room),
  heading: (block, room) => withChildren(heading(block), block, room),
  paragraph: (block, room) => withChildren(paragraph(block), block, room),
  list,
  listItem: (block, room) => listItem(block, room, '- '),
  table: (block, room) => withChildren(table(block), block, room),
  code: (block, room) => withChildren(fenced(block.text ?? '', block.language), block, room),
  quote: (block, room) => quoted(withChildren(paragraph(block), block, room), room),
  figure: (block, room) => withChildren(figure(block), block, room),
  caption: (block, room) => withChildren(paragraph(block), block, room),
  formula: (block, room) => withChildren(formula(block.text ?? ''), block, room),
  footnote: (block, room) => withChildren(paragraph(block), block, room),
  formField: (block, room) => withChildren(paragraph(block), block, room),
  pageBreak: (block, room) => room.take(block.page === undefined ? '' : `<!-- page ${block.page} -->`),
};

/** `own` is not counted in `room` yet. */
function withChildren(own: string, block: Block, room: Room): string {
  room.take(own);
  const inner = renderBlocks(block.children ?? [], room);
  return own === '' || inner === '' ? own + inner : `${own}\n\n${inner}`;
}

/** The marks before each line are counted in addition to the text. */
function quoted(markdown: string, room: Room): string {
  if (markdown === '') return '';
  return room.take(markdown.replace(/^(?=[^\n])/gm, '> ').replace(/^$/gm, '>'), markdown.length);
}

function paragraph(block: Block): string {
  return inlineMarkdown({ ...block, text: block.text ?? '' }, { lineBreak: HARD_BREAK });
}

function heading(block: Block): string {
  const text = inlineMarkdown({ ...block, text: block.text ?? '' }, { heading: true, lineBreak: ' ' });
  // Hashes at the end would close the heading, and braces would be its attributes.
  const whole = text.replace(/(^|\s)(#+)$/, '$1\\$2').replace(/(?<!\\)\{(?=[^{}]*\}$)/, '\\{');
  return text === '' ? '' : `${'#'.repeat(block.level ?? 1)} ${whole}`;
}

function figure(block: Block): string {
  const text = block.text ?? '';
  if (text === '' || text.includes('\n') || text.length > MAX_ALTERNATIVE_CHARACTERS) return paragraph(block);
  return `![${inlineMarkdown({ text }, { label: true, lineBreak: ' ' })}](#)`;
}

function formula(text: string): string {
  if (text === '') return '';
  // A line of dollars or a blank line inside would end the block in most renderers.
  return /\$\$|\n\s*\n/.test(text) ? fenced(text, 'math') : `$$\n${text}\n$$`;
}

function fenced(text: string, language = ''): string {
  const longest = (text.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 2);
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language.replace(/[^\w+#.-]/g, '')}\n${text}\n${fence}`;
}

function list(block: Block, room: Room, alternate: boolean): string {
  const items = block.children ?? [];
  const tight = items.every((item) => (item.children ?? []).every(canFollowText));
  const first = block.start ?? 1;
  const rendered = items.map((item, index) => {
    const marker = alternate ? '* ' : '- ';
    return listItem(
      item,
      room,
      block.ordered === true ? `${Math.max(0, first + index)}${alternate ? ')' : '.'} ` : marker,
      tight,
    );
  });
  return rendered.filter((item) => item !== '').join(tight ? '\n' : '\n\n');
}

/**
 * Returns whether the child can directly follow text: Markdown interrupts a paragraph only for a list that starts at 1
 * with text.
 */
function canFollowText(child: Block): boolean {
  const begins = (child.children?.[0]?.text ?? '') !== '';
  return child.type === 'list' && begins && (child.ordered !== true || (child.start ?? 1) === 1);
}

function listItem(item: Block, room: Room, marker: string, tight = false): string {
  const own = room.take(paragraph(item));
  const inner = renderBlocks(item.children ?? [], room);
  const body = own === '' || inner === '' ? own + inner : `${own}${tight ? '\n' : '\n\n'}${inner}`;
  if (body === '') return '';
  return room.take(marker + body.replace(/\n(?=[^\n])/g, `\n${' '.repeat(marker.length)}`), body.length);
}

/** A row of a table that is much wider than most of its rows ends with its last cell, as pipe tables permit. */
function table(block: Block): string {
  const rows = block.rows ?? [];
  const grid = tableGrid(rows);
  const width = grid.reduce((most, line) => Math.max(most, line.length), 0);
  if (width === 0) return '';
  const filled = width * rows.length <= maxGridPositions(rows);
  const repeats = repeatedTexts(rows, MAX_REPEATED_CHARACTERS);
  const lines = grid.map((line, row) => {
    const cells = Array.from({ length: filled || row === 0 ? width : line.length }, (_, column) => {
      const position = line[column];
      if (position === undefined || !(position.origin || repeats(position))) return '';
      return inlineMarkdown(position.cell, { cell: true, lineBreak: '<br>' });
    });
    return `| ${cells.join(' | ')} |`;
  });
  lines.splice(1, 0, `|${' --- |'.repeat(width)}`);
  return lines.join('\n');
}
