/**
 * Renders a block tree as GitHub-flavoured Markdown. Every table becomes a pipe table with its first row as header,
 * because pipe tables require one; short spanning cells are repeated and line breaks become `<br>`. Formulas are `$$`
 * blocks, page breaks are comments with the page number. Quire's Markdown reader returns the same text from the result.
 */
import type { Block, BlockType, DocumentTree } from './block.ts';
import { inlineMarkdown } from './escape-markdown.ts';
import { tableGrid } from './table-grid.ts';

/**
 * Maximum length of a spanning cell's text that is repeated, in UTF-16 units; repeating longer texts would multiply the
 * document.
 */
const MAX_REPEATED_CHARACTERS = 200;
/** Maximum length of a figure's text that becomes alternative text; longer text becomes a paragraph. */
const MAX_ALTERNATIVE_CHARACTERS = 300;
const HARD_BREAK = '  \n';

/** Ends with a line break unless the tree is empty. */
export function toMarkdown(tree: DocumentTree): string {
  const body = renderBlocks(tree.blocks);
  return body === '' ? '' : `${body}\n`;
}

/** Renders blocks as Markdown without a line break at the end. */
function renderBlocks(blocks: readonly Block[]): string {
  const parts: string[] = [];
  let before: Block | undefined;
  let alternate = false;
  for (const block of blocks) {
    // Two adjacent lists would be read as one, so the second uses the other marker.
    const follows = before?.type === 'list' && block.type === 'list' && before.ordered === block.ordered;
    alternate = follows && !alternate;
    const part = RENDERERS[block.type](block, alternate);
    if (part === '') continue;
    parts.push(part);
    before = block;
  }
  return parts.join('\n\n');
}

const RENDERERS: Readonly<Record<BlockType, (block: Block, alternate: boolean) => string>> = {
  section: (block) => renderBlocks(block.children ?? []),
  heading: (block) => withChildren(heading(block), block),
  paragraph: (block) => withChildren(paragraph(block), block),
  list,
  listItem: (block) => listItem(block, '- '),
  table: (block) => withChildren(table(block), block),
  code: (block) => withChildren(fenced(block.text ?? '', block.language), block),
  quote: (block) => quoted(withChildren(paragraph(block), block)),
  figure: (block) => withChildren(figure(block), block),
  caption: (block) => withChildren(paragraph(block), block),
  formula: (block) => withChildren(formula(block.text ?? ''), block),
  footnote: (block) => withChildren(paragraph(block), block),
  formField: (block) => withChildren(paragraph(block), block),
  pageBreak: (block) => (block.page === undefined ? '' : `<!-- page ${block.page} -->`),
};

function withChildren(own: string, block: Block): string {
  const inner = renderBlocks(block.children ?? []);
  return own === '' || inner === '' ? own + inner : `${own}\n\n${inner}`;
}

function quoted(markdown: string): string {
  return markdown === '' ? '' : markdown.replace(/^(?=[^\n])/gm, '> ').replace(/^$/gm, '>');
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

function list(block: Block, alternate: boolean): string {
  const items = block.children ?? [];
  const tight = items.every((item) => (item.children ?? []).every(canFollowText));
  const first = block.start ?? 1;
  const rendered = items.map((item, index) => {
    const marker = alternate ? '* ' : '- ';
    return listItem(
      item,
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

function listItem(item: Block, marker: string, tight = false): string {
  const own = paragraph(item);
  const inner = renderBlocks(item.children ?? []);
  const body = own === '' || inner === '' ? own + inner : `${own}${tight ? '\n' : '\n\n'}${inner}`;
  return body === '' ? '' : marker + body.replace(/\n(?=[^\n])/g, `\n${' '.repeat(marker.length)}`);
}

function table(block: Block): string {
  const grid = tableGrid(block.rows ?? []);
  const width = grid.reduce((most, line) => Math.max(most, line.length), 0);
  if (width === 0) return '';
  const lines = grid.map((line) => {
    const cells = Array.from({ length: width }, (_, column) => {
      const position = line[column];
      if (position === undefined) return '';
      const { cell } = position;
      if (!position.origin && cell.text.length > MAX_REPEATED_CHARACTERS) return '';
      return inlineMarkdown(cell, { cell: true, lineBreak: '<br>' });
    });
    return `| ${cells.join(' | ')} |`;
  });
  lines.splice(1, 0, `|${' --- |'.repeat(width)}`);
  return lines.join('\n');
}
