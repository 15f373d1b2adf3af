/** Builds the parts of a small OpenDocument file around the body of its content, for tests. */
import type { Parts } from './parse-parts.ts';

export const NAMESPACES = [
  ...['office', 'text', 'table', 'style', 'presentation', 'manifest', 'chart'].map(
    (name) => `xmlns:${name}="urn:oasis:names:tc:opendocument:xmlns:${name}:1.0"`,
  ),
  'xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0"',
  'xmlns:svg="urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0"',
  'xmlns:fo="urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0"',
  'xmlns:xlink="http://www.w3.org/1999/xlink"',
  'xmlns:dc="http://purl.org/dc/elements/1.1/"',
  'xmlns:math="http://www.w3.org/1998/Math/MathML"',
].join(' ');

const AUTOMATIC =
  '<text:list-style style:name="L1"><text:list-level-style-number text:level="1" style:num-suffix="." style:num-format="1"/>' +
  '<text:list-level-style-number text:level="2" style:num-prefix="(" style:num-suffix=")" style:num-format="a"/></text:list-style>' +
  '<style:style style:name="P1" style:family="paragraph" style:parent-style-name="Preformatted_20_Text"/>' +
  '<style:style style:name="Ghost" style:family="text"><style:text-properties text:display="none"/></style:style>' +
  '<style:style style:name="T1" style:family="text" style:parent-style-name="Ghost"/>' +
  '<style:style style:name="narrow" style:family="table-column"><style:table-column-properties style:column-width="0.2in"/></style:style>' +
  '<style:style style:name="low" style:family="table-row"><style:table-row-properties style:row-height="1mm"/></style:style>' +
  '<style:style style:name="hidden" style:family="table"><style:table-properties table:display="false"/></style:style>';

export function odfParts(body: string, extra: Parts = {}): Parts {
  return {
    'content.xml': `<office:document-content ${NAMESPACES}><office:automatic-styles>${AUTOMATIC}</office:automatic-styles><office:body>${body}</office:body></office:document-content>`,
    ...extra,
  };
}
