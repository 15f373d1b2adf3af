/** The elements that HTML closes by itself; all others need an end tag. */
const VOID_ELEMENTS = new Set(
  'area base basefont bgsound br col embed frame hr img input keygen link meta param source track wbr'.split(' '),
);

/**
 * Gives empty elements such as `<title/>` or `<a id="x"/>` an end tag: HTML ignores the slash, so the element would
 * contain everything after it. Runs in linear time.
 */
export function xhtmlToHtml(text: string): string {
  let html = '';
  let from = 0;
  for (let end = text.indexOf('/>'); end >= 0; end = text.indexOf('/>', from)) {
    const before = text.slice(from, end);
    const name = /^<([a-z][\w:.-]*)/i.exec(before.slice(before.lastIndexOf('<')))?.[1];
    const closes = name !== undefined && !VOID_ELEMENTS.has(name.toLowerCase());
    html += closes ? `${before}></${name}>` : `${before}/>`;
    from = end + 2;
  }
  return html + text.slice(from);
}
