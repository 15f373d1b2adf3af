/** Builds the parts of a small presentation around the shapes of its slides, for tests. */
import { relationships } from './docx-parts.ts';
import type { Parts } from './parse-parts.ts';

const NAMESPACES = [
  'xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main"',
  'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"',
  'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"',
].join(' ');

interface TestShape {
  placeholder?: string;
  /** Left, top, width and height. */
  at?: readonly [number, number, number, number];
  paragraphs: string;
}

export function shape({ placeholder, at, paragraphs }: TestShape): string {
  const [x, y, cx, cy] = at ?? [0, 0, 0, 0];
  const xfrm = at ? `<a:xfrm><a:off x="${x}" y="${y}"/><a:ext cx="${cx}" cy="${cy}"/></a:xfrm>` : '';
  return `<p:sp><p:nvSpPr><p:nvPr>${placeholder ?? ''}</p:nvPr></p:nvSpPr><p:spPr>${xfrm}</p:spPr><p:txBody>${paragraphs}</p:txBody></p:sp>`;
}

export const line = (text: string, properties = ''): string => `<a:p>${properties}<a:r><a:t>${text}</a:t></a:r></a:p>`;
export const slide = (shapes: string): string =>
  `<p:sld ${NAMESPACES}><p:cSld><p:spTree>${shapes}</p:spTree></p:cSld></p:sld>`;

export function pptxParts(slides: readonly string[], extra: Parts = {}): Parts {
  const ids = slides.map((_, index) => `<p:sldId r:id="r${index}"/>`).join('');
  const layout = shape({
    placeholder: '<p:ph type="body" idx="1"/>',
    at: [0, 300, 1000, 500],
    paragraphs: '<a:lstStyle><a:lvl2pPr><a:buNone/></a:lvl2pPr></a:lstStyle>',
  });
  const bullets = '<a:lvl1pPr><a:buChar char="•"/></a:lvl1pPr><a:lvl2pPr><a:buChar char="–"/></a:lvl2pPr>';
  return {
    '_rels/.rels': relationships(['r1', 'officeDocument', 'ppt/presentation.xml']),
    'ppt/presentation.xml': `<p:presentation ${NAMESPACES}><p:sldIdLst>${ids}</p:sldIdLst><p:sldSz cx="1000" cy="800"/></p:presentation>`,
    'ppt/_rels/presentation.xml.rels': relationships(
      ...slides.map((_, index): [string, string, string] => [`r${index}`, 'slide', `slides/s${index}.xml`]),
    ),
    ...Object.fromEntries(slides.map((xml, index) => [`ppt/slides/s${index}.xml`, slide(xml)])),
    'ppt/slides/_rels/s0.xml.rels': relationships(
      ['r1', 'slideLayout', '../layout.xml'],
      ['r2', 'notesSlide', '../notes.xml'],
      ['r3', 'hyperlink', 'https://example.org/', true],
    ),
    'ppt/layout.xml': `<p:sldLayout ${NAMESPACES}><p:cSld><p:spTree>${layout}</p:spTree></p:cSld></p:sldLayout>`,
    'ppt/_rels/layout.xml.rels': relationships(['r1', 'slideMaster', 'master.xml']),
    'ppt/master.xml': `<p:sldMaster ${NAMESPACES}><p:txStyles><p:bodyStyle>${bullets}</p:bodyStyle></p:txStyles></p:sldMaster>`,
    ...extra,
  };
}
