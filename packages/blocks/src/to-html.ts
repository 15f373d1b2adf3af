/**
 * Renders a block tree as one self-contained, inert HTML page: semantic elements, all text escaped, no script, style,
 * image or event handler, links only to safe schemes. Blocks carry their id, and `data-page` and `data-bbox` if they
 * have a position.
 */
import type { Block, BlockType, DocumentTree, MarkKind, TableCell, TextLink } from './block.ts';
import { inlinePieces, type InlineContent } from './inline-pieces.ts';
import { plainScript } from './script-characters.ts';

export function toHtml(tree: DocumentTree): string {
  const language = tree.language === null ? '' : ` lang="${escapeHtml(tree.language)}"`;
  const body = tree.blocks.map(renderBlock).join('\n');
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

const RENDERERS: Readonly<Record<BlockType, (block: Block) => string>> = {
  section: (block) => element('section', block, `\n${inner(block)}\n`),
  heading: (block) => element(`h${block.level ?? 1}`, block, inner(block)),
  paragraph: (block) => element((block.children ?? []).length > 0 ? 'div' : 'p', block, inner(block)),
  list,
  listItem: (block) => element('li', block, inner(block)),
  table,
  code,
  quote: (block) => element('blockquote', block, inner(block)),
  figure: (block) => element('figure', block, inner(block)),
  caption: (block) => element('p', block, inner(block), ' class="caption"'),
  formula: (block) => element('pre', block, inner(block), ' class="formula"'),
  footnote: (block) => element('aside', block, inner(block), ' role="doc-footnote"'),
  formField: (block) => element('p', block, inner(block), ' class="form-field"'),
  pageBreak: (block) => `<hr${attributes(block)} class="page-break">`,
};

function renderBlock(block: Block): string {
  return RENDERERS[block.type](block);
}

function element(name: string, block: Block, content: string, extra = ''): string {
  return `<${name}${attributes(block)}${extra}>${content}</${name}>`;
}

function attributes(block: Block): string {
  const page = block.page === undefined ? '' : ` data-page="${block.page}"`;
  const bbox = block.bbox === undefined ? '' : ` data-bbox="${block.bbox.join(' ')}"`;
  return ` id="${escapeHtml(block.id)}"${page}${bbox}`;
}

/** Returns the block's own text followed by its children. */
function inner(block: Block): string {
  const own = inlineHtml({ ...block, text: block.text ?? '' });
  const children = (block.children ?? []).map(renderBlock).join('\n');
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

function list(block: Block): string {
  const ordered = block.ordered === true;
  const start = ordered && block.start !== undefined ? ` start="${block.start}"` : '';
  return element(ordered ? 'ol' : 'ul', block, `\n${inner(block)}\n`, start);
}

function code(block: Block): string {
  const language = block.language === undefined ? '' : ` class="language-${escapeHtml(block.language)}"`;
  return element('pre', block, `<code${language}>${escapeHtml(block.text ?? '')}</code>`);
}

function table(block: Block): string {
  const rows = block.rows ?? [];
  const firstBodyRow = rows.findIndex((row) => row.length === 0 || !row.every((cell) => cell.header));
  const leading = firstBodyRow < 0 ? rows.length : firstBodyRow;
  // A row group ends every span inside it, so a header that spans into the body stays in one group with it.
  const crosses = rows.slice(0, leading).some((row, index) => row.some((cell) => index + cell.rowSpan > leading));
  const headRows = crosses ? 0 : leading;
  const head = rows.slice(0, headRows).map(tableRow).join('\n');
  const body = rows.slice(headRows).map(tableRow).join('\n');
  const parts = [head === '' ? '' : `<thead>\n${head}\n</thead>`, body === '' ? '' : `<tbody>\n${body}\n</tbody>`];
  const grid = element('table', block, `\n${parts.filter((part) => part !== '').join('\n')}\n`);
  const children = (block.children ?? []).map(renderBlock).join('\n');
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
