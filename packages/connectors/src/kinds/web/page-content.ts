/** Reads from a page what a crawl needs: links, the canonical address, and the wishes of the site. */
import { parse, type DefaultTreeAdapterTypes as Tree } from 'parse5';

export interface PageContent {
  links: string[];
  canonical: string | null;
  noindex: boolean;
  nofollow: boolean;
  base: string | null;
}

type Attributes = ReadonlyMap<string, string>;

const words = (text: string | undefined): string[] => (text ?? '').toLowerCase().split(/[\s,]+/);

/** Reads directives for robots, as in `X-Robots-Tag` and the element `meta`. */
export function readDirectives(text: string | undefined): { noindex: boolean; nofollow: boolean } {
  const directives = words(text);
  const none = directives.includes('none');
  return { noindex: none || directives.includes('noindex'), nofollow: none || directives.includes('nofollow') };
}

/** Returns the target of `Link: <...>; rel="canonical"`. */
export function canonicalOfHeader(header: string | undefined): string | null {
  return /<([^<>]{1,2000})>\s*;\s*rel="?canonical"?/i.exec(header ?? '')?.[1] ?? null;
}

function decode(bytes: Buffer, contentType: string): string {
  const charset = /charset="?([\w-]{1,40})/i.exec(contentType)?.[1] ?? 'utf-8';
  try {
    return new TextDecoder(charset).decode(bytes);
  } catch (error) {
    if (error instanceof RangeError) return bytes.toString();
    throw error;
  }
}

/** Calls back for each element, in the order of the document. Does not recurse: pages nest without limit. */
function eachElement(document: Tree.Document, call: (name: string, attributes: Attributes) => void): void {
  const stack: Tree.ChildNode[] = document.childNodes.toReversed();
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if ('tagName' in node) call(node.tagName, new Map(node.attrs.map(({ name, value }) => [name, value])));
    if ('childNodes' in node) for (let at = node.childNodes.length - 1; at >= 0; at -= 1) push(stack, node, at);
  }
}

function push(stack: Tree.ChildNode[], { childNodes }: Tree.Element, at: number): void {
  const child = childNodes[at];
  if (child !== undefined) stack.push(child);
}

export function readPage(bytes: Buffer, contentType: string): PageContent {
  const page: PageContent = { links: [], canonical: null, noindex: false, nofollow: false, base: null };
  eachElement(parse(decode(bytes, contentType)), (name, attributes) => {
    const href = attributes.get('href');
    const rel = words(attributes.get('rel'));
    if (name === 'base') page.base ??= href ?? null;
    else if (name === 'link' && rel.includes('canonical')) page.canonical ??= href ?? null;
    else if (name === 'meta' && attributes.get('name')?.toLowerCase() === 'robots') {
      const { noindex, nofollow } = readDirectives(attributes.get('content'));
      page.noindex ||= noindex;
      page.nofollow ||= nofollow;
    } else if ((name === 'a' || name === 'area') && href !== undefined && !rel.includes('nofollow')) {
      page.links.push(href);
    }
  });
  return page;
}
