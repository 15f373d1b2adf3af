/** Renders a page of the guide: headings with ids, links between pages, a list of all pages. */
import path from 'node:path';
import MarkdownIt, { type Token } from 'markdown-it';

export interface GuidePage {
  /** Part of the address: `/guide/<name>`. */
  name: string;
  markdown: string;
}

interface PageOptions {
  basePath: string;
  style: string;
}

export function renderGuidePage(page: GuidePage, pages: readonly GuidePage[], options: PageOptions): string {
  const names = new Set(pages.map(({ name }) => name));
  // Raw HTML is shown as text.
  const markdown = new MarkdownIt({ html: false, linkify: false });
  const tokens = markdown.parse(page.markdown, {});
  setHeadingIds(tokens);
  for (const token of tokens) rewriteLinks(token.children ?? [], names, options.basePath);
  const { escapeHtml } = markdown.utils;
  const links = pages.map(({ name, markdown: text }) => {
    const current = name === page.name ? ' aria-current="page"' : '';
    return `<a href="${options.basePath}/guide/${name}"${current}>${escapeHtml(titleOf(text) ?? name)}</a>`;
  });
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(titleOf(page.markdown) ?? page.name)} - Quire guide</title>
<style>${options.style}</style>
</head>
<body>
<nav>${links.join('\n')}</nav>
<main>
${markdown.renderer.render(tokens, markdown.options, {})}</main>
</body>
</html>
`;
}

const titleOf = (markdown: string): string | undefined => /^# (.*)$/m.exec(markdown)?.[1];

/** Sets the ids that links of the pages expect: lower case, hyphens for spaces, a number after a repeated one. */
function setHeadingIds(tokens: readonly Token[]): void {
  const used = new Map<string, number>();
  for (const [at, token] of tokens.entries()) {
    if (token.type !== 'heading_open') continue;
    const text = (tokens[at + 1]?.children ?? [])
      .filter(({ type }) => type === 'text' || type === 'code_inline')
      .map(({ content }) => content)
      .join('');
    const slug = text
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(/\s/g, '-');
    const count = used.get(slug) ?? 0;
    used.set(slug, count + 1);
    token.attrSet('id', count === 0 ? slug : `${slug}-${count}`);
  }
}

/** Points links to files of the guide at their pages. Links to other files become text, pictures their description. */
function rewriteLinks(tokens: readonly Token[], names: ReadonlySet<string>, basePath: string): void {
  const dropped: boolean[] = [];
  for (const token of tokens) {
    if (token.type === 'link_open') {
      const target = pageAddress(String(token.attrGet('href') ?? ''), names, basePath);
      dropped.push(target === undefined);
      if (target === undefined) hide(token);
      else token.attrSet('href', target);
    } else if (token.type === 'link_close' && dropped.pop() === true) {
      hide(token);
    } else if (token.type === 'image') {
      // Pictures are not part of the package.
      token.type = 'text';
    }
  }
}

function hide(token: Token): void {
  token.type = 'text';
  token.content = '';
}

function pageAddress(href: string, names: ReadonlySet<string>, basePath: string): string | undefined {
  if (/^(?:https?:|mailto:|#)/.test(href)) return href;
  const [file = '', fragment] = href.split('#', 2);
  const name = path.posix.basename(file, '.md').toLowerCase();
  if (!file.endsWith('.md') || !names.has(name)) return undefined;
  return `${basePath}/guide/${name}${fragment === undefined ? '' : `#${fragment}`}`;
}
