/** Builds the parts of a small Word document around a given body, for tests. */
import type { Parts } from './parse-parts.ts';

export const WORD_NAMESPACES = [
  'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"',
  'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"',
  'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"',
  'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"',
  'xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing"',
  'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"',
  'xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture"',
  'xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape"',
  'xmlns:v="urn:schemas-microsoft-com:vml"',
].join(' ');

const RELATIONSHIPS = 'http://schemas.openxmlformats.org/package/2006/relationships';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

export function relationships(
  ...entries: readonly [id: string, type: string, target: string, external?: boolean][]
): string {
  const elements = entries.map(
    ([id, type, target, external]) =>
      `<Relationship Id="${id}" Type="${OFFICE}/${type}" Target="${target}"${external === true ? ' TargetMode="External"' : ''}/>`,
  );
  return `<Relationships xmlns="${RELATIONSHIPS}">${elements.join('')}</Relationships>`;
}

const STYLES = `
  <w:style w:type="paragraph" w:default="1" w:styleId="Normal"><w:name w:val="Normal"/></w:style>
  <w:style w:type="paragraph" w:styleId="Ttl"><w:name w:val="Title"/></w:style>
  <w:style w:type="paragraph" w:styleId="H1"><w:name w:val="heading 1"/><w:pPr><w:outlineLvl w:val="0"/></w:pPr></w:style>
  <w:style w:type="paragraph" w:styleId="Mine"><w:name w:val="My kind"/><w:basedOn w:val="H1"/></w:style>
  <w:style w:type="paragraph" w:styleId="Src"><w:name w:val="Source Code"/></w:style>
  <w:style w:type="paragraph" w:styleId="Cap"><w:name w:val="caption"/></w:style>`;

const level = (index: number, format: string, text: string): string =>
  `<w:lvl w:ilvl="${index}"><w:start w:val="1"/><w:numFmt w:val="${format}"/><w:lvlText w:val="${text}"/></w:lvl>`;

const NUMBERING = `
  <w:abstractNum w:abstractNumId="0">${level(0, 'bullet', '•')}${level(1, 'bullet', 'o')}</w:abstractNum>
  <w:abstractNum w:abstractNumId="1">${level(0, 'decimal', '%1.')}${level(1, 'lowerLetter', '(%2)')}${level(2, 'decimal', '%1.%3')}</w:abstractNum>
  <w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>
  <w:num w:numId="2"><w:abstractNumId w:val="1"/></w:num>
  <w:num w:numId="3"><w:abstractNumId w:val="1"/><w:lvlOverride w:ilvl="0"><w:startOverride w:val="7"/></w:lvlOverride></w:num>`;

/** Returns the parts of a document with the body; `extra` parts replace or extend them. */
export function docxParts(body: string, extra: Parts = {}): Parts {
  return {
    '_rels/.rels': relationships(['r1', 'officeDocument', 'word/document.xml']),
    'word/_rels/document.xml.rels': relationships(
      ['r1', 'styles', 'styles.xml'],
      ['r2', 'numbering', 'numbering.xml'],
      ['r3', 'hyperlink', 'https://example.org/', true],
      ['r4', 'footnotes', 'footnotes.xml'],
      ['r5', 'comments', 'comments.xml'],
      ['r6', 'chart', 'charts/chart1.xml'],
    ),
    'word/styles.xml': `<w:styles ${WORD_NAMESPACES}>${STYLES}</w:styles>`,
    'word/numbering.xml': `<w:numbering ${WORD_NAMESPACES}>${NUMBERING}</w:numbering>`,
    'word/document.xml': `<?xml version="1.0"?><w:document ${WORD_NAMESPACES}><w:body>${body}</w:body></w:document>`,
    ...extra,
  };
}

/** Returns a paragraph of one run, with optional paragraph properties. */
export const paragraph = (text: string, properties = ''): string =>
  `<w:p><w:pPr>${properties}</w:pPr><w:r><w:t xml:space="preserve">${text}</w:t></w:r></w:p>`;

export const styled = (style: string, text: string): string => paragraph(text, `<w:pStyle w:val="${style}"/>`);

export const numbered = (numId: number, index: number, text: string): string =>
  paragraph(text, `<w:numPr><w:ilvl w:val="${index}"/><w:numId w:val="${numId}"/></w:numPr>`);
