/**
 * Renders a block tree as one self-contained, inert HTML page: semantic elements, all text escaped, no script, style,
 * image or event handler, links only to safe schemes. Blocks carry their id, and `data-page` and `data-bbox` if they
 * have a position.
 */
import type { Block, BlockType, DocumentTree, MarkKind, TableCell, TextLink } from './block.ts';
import { inlinePieces, type InlineContent } from './inline-pieces.ts';
import { Room } from './room.ts';
import { plainScript } from './script-characters.ts';
import { boundSpans } from './table-spans.ts';

/** Throws `ContentError` `too_large` for a result of more than `maxLength` UTF-16 units. */
export function toHtml(tree: DocumentTree, maxLength = Infinity): string {
  const language = tree.language === null ? '' : ` lang="${escapeHtml(tree.language)}"`;
  const body = renderBlocks(tree.blocks, new Room(maxLength));
  return `<!doctype html>
<html${language}>
<head>
<meta charset="utf-8">
<title>${escapeHtml(tree.title ?? '')}</title>
</head>
<body>
${body}
</body>
</html>
`;
}

/** Escapes text for element content and quoted attribute values. */
function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}

const RENDERERS: Readonly<Record<BlockType, (block: Block, room: Room) => string>> = {
  section: (block, room) => element('section', block, room, `\n${inner(block, room)}\n`),
  heading: (block, room) => element(`h${block.level ?? 1}`, block, room, inner(block, room)),
  paragraph: (block, room) => element((block.children ?? []).length > 0 ? 'div' : 'p', block, room, inner(block, room)),
  list,
  listItem: (block, room) => element('li', block, room, inner(block, room)),
  table,
  code,
  quote: (block, room) => element('blockquote', block, room, inner(block, room)),
  figure: (block, room) => element('figure', block, room, inner(block, room)),
  caption: (block, room) => element('p', block, room, inner(block, room), ' class="caption"'),
  formula: (block, room) => element('pre', block, room, inner(block, room), ' class="formula"'),
  footnote: (block, room) => element('aside', block, room, inner(block, room), ' role="doc-footnote"'),
  formField: (block, room) => element('p', block, room, inner(block, room), ' class="form-field"'),
  pageBreak: (block, room) => room.take(`<hr${attributes(block)} class="page-break">`),
};

const renderBlocks = (blocks: readonly Block[], room: Room): string =>
  blocks.map((block) => RENDERERS[block.type](block, room)).join('\n');

/** `content` is counted in `room` already. */
function element(name: string, block: Block, room: Room, content: string, extra = ''): string {
  return room.take(`<${name}${attributes(block)}${extra}>${content}</${name}>`, content.length);
}

function attributes(block: Block): string {
  const page = block.page === undefined ? '' : ` data-page="${block.page}"`;
  const bbox = block.bbox === undefined ? '' : ` data-bbox="${block.bbox.join(' ')}"`;
  return ` id="${escapeHtml(block.id)}"${page}${bbox}`;
}

/** Returns the block's own text followed by its children. */
function inner(block: Block, room: Room): string {
  const own = room.take(inlineHtml({ ...block, text: block.text ?? '' }));
  const children = renderBlocks(block.children ?? [], room);
  return own === '' || children === '' ? own + children : `${own}\n${children}`;
}

const TAGS: Readonly<Record<MarkKind, string>> = { struck: 'del', raised: 'sup', lowered: 'sub', inserted: 'ins' };

function inlineHtml(content: InlineContent): string {
  const { text } = content;
  if (content.links === undefined && content.marks === undefined) return escapeLines(text);
  let html = '';
  let open: TextLink | undefined;
  for (const { start, end, link, marks } of inlinePieces(content)) {
    if (link !== open && open !== undefined) html += '</a>';
    if (link !== open && link !== undefined) {
      html += `<a href="${escapeHtml(link.href)}" rel="noopener noreferrer nofollow">`;
    }
    open = link;
    html += markedHtml(text.slice(start, end), marks);
  }
  return open === undefined ? html : `${html}</a>`;
}

function markedHtml(text: string, marks: readonly MarkKind[]): string {
  const raises = marks.includes('raised') || marks.includes('lowered');
  const inner = escapeLines(raises ? plainScript(text) : text);
  return marks.reduce((html, kind) => `<${TAGS[kind]}>${html}</${TAGS[kind]}>`, inner);
}

function escapeLines(text: string): string {
  return escapeHtml(text).replaceAll('\n', '<br>\n');
}

function list(block: Block, room: Room): string {
  const ordered = block.ordered === true;
  const start = ordered && block.start !== undefined ? ` start="${block.start}"` : '';
  return element(ordered ? 'ol' : 'ul', block, room, `\n${inner(block, room)}\n`, start);
}

function code(block: Block, room: Room): string {
  const language = block.language === undefined ? '' : ` class="language-${escapeHtml(block.language)}"`;
  return element('pre', block, room, room.take(`<code${language}>${escapeHtml(block.text ?? '')}</code>`));
}

function table(block: Block, room: Room): string {
  const rows = boundSpans(block.rows ?? []);
  const firstBodyRow = rows.findIndex((row) => row.length === 0 || !row.every((cell) => cell.header));
  const leading = firstBodyRow < 0 ? rows.length : firstBodyRow;
  // A row group ends every span inside it, so a header that spans into the body stays in one group with it.
  const crosses = rows.slice(0, leading).some((row, index) => row.some((cell) => index + cell.rowSpan > leading));
  const headRows = crosses ? 0 : leading;
  const head = rows.slice(0, headRows).map(tableRow).join('\n');
  const body = rows.slice(headRows).map(tableRow).join('\n');
  const parts = [head === '' ? '' : `<thead>\n${head}\n</thead>`, body === '' ? '' : `<tbody>\n${body}\n</tbody>`];
  const grid = element('table', block, room, room.take(`\n${parts.filter((part) => part !== '').join('\n')}\n`));
  const children = renderBlocks(block.children ?? [], room);
  return children === '' ? grid : `${grid}\n${children}`;
}

function tableRow(row: readonly TableCell[]): string {
  const cells = row.map((cell) => {
    const name = cell.header ? 'th' : 'td';
    const rowSpan = cell.rowSpan > 1 ? ` rowspan="${cell.rowSpan}"` : '';
    const colSpan = cell.colSpan > 1 ? ` colspan="${cell.colSpan}"` : '';
    return `<${name}${rowSpan}${colSpan}>${inlineHtml(cell)}</${name}>`;
  });
  return `<tr>${cells.join('')}</tr>`;
}
