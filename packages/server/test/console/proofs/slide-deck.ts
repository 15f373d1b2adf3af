/** A presentation as PowerPoint writes it, with a title and a list in placeholders of its layout, and a text box. */
import { relationships } from '@quire/parse/office/testing/docx-parts';
import { pack } from '@quire/parse/office/testing/parse-parts';

const NAMESPACES =
  'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main"';
const TYPE = 'application/vnd.openxmlformats-officedocument';
const [WIDTH, HEIGHT] = [12_192_000, 6_858_000];

const CONTENT_TYPES = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/ppt/presentation.xml" ContentType="${TYPE}.presentationml.presentation.main+xml"/><Override PartName="/ppt/slideMasters/slideMaster1.xml" ContentType="${TYPE}.presentationml.slideMaster+xml"/><Override PartName="/ppt/slideLayouts/slideLayout1.xml" ContentType="${TYPE}.presentationml.slideLayout+xml"/><Override PartName="/ppt/slides/slide1.xml" ContentType="${TYPE}.presentationml.slide+xml"/><Override PartName="/ppt/theme/theme1.xml" ContentType="${TYPE}.theme+xml"/></Types>`;

const color = (name: string, value: string): string => `<a:${name}><a:srgbClr val="${value}"/></a:${name}>`;
const COLORS = [
  ['dk1', '000000'],
  ['lt1', 'FFFFFF'],
  ['dk2', '44546A'],
  ['lt2', 'E7E6E6'],
  ['accent1', '4472C4'],
  ['accent2', 'ED7D31'],
  ['accent3', 'A5A5A5'],
  ['accent4', 'FFC000'],
  ['accent5', '5B9BD5'],
  ['accent6', '70AD47'],
  ['hlink', '0563C1'],
  ['folHlink', '954F72'],
] as const;
const FONT = '<a:latin typeface="Liberation Sans"/><a:ea typeface=""/><a:cs typeface=""/>';
const FILL = '<a:solidFill><a:schemeClr val="phClr"/></a:solidFill>';
const LINE = `<a:ln w="6350">${FILL}</a:ln>`;
const EFFECT = '<a:effectStyle><a:effectLst/></a:effectStyle>';
const THEME = `<a:theme ${NAMESPACES} name="Office"><a:themeElements><a:clrScheme name="Office">${COLORS.map(([name, value]) => color(name, value)).join('')}</a:clrScheme><a:fontScheme name="Office"><a:majorFont>${FONT}</a:majorFont><a:minorFont>${FONT}</a:minorFont></a:fontScheme><a:fmtScheme name="Office"><a:fillStyleLst>${FILL.repeat(3)}</a:fillStyleLst><a:lnStyleLst>${LINE.repeat(3)}</a:lnStyleLst><a:effectStyleLst>${EFFECT.repeat(3)}</a:effectStyleLst><a:bgFillStyleLst>${FILL.repeat(3)}</a:bgFillStyleLst></a:fmtScheme></a:themeElements></a:theme>`;

const GROUP =
  '<p:nvGrpSpPr><p:cNvPr id="1" name=""/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr><p:grpSpPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="0" cy="0"/><a:chOff x="0" y="0"/><a:chExt cx="0" cy="0"/></a:xfrm></p:grpSpPr>';

interface Shape {
  id: number;
  placeholder?: string;
  /** Left, top, width and height in EMU; inherited from the layout if omitted. */
  at?: readonly [number, number, number, number];
  /** Inside of `a:bodyPr`, with its attributes. */
  body?: string;
  paragraphs: string;
}

function shape({ id, placeholder = '', at, body = '<a:bodyPr/>', paragraphs }: Shape): string {
  const [x, y, cx, cy] = at ?? [0, 0, 0, 0];
  const place =
    at === undefined
      ? ''
      : `<a:xfrm><a:off x="${x}" y="${y}"/><a:ext cx="${cx}" cy="${cy}"/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom>`;
  return `<p:sp><p:nvSpPr><p:cNvPr id="${id}" name="Shape ${id}"/><p:cNvSpPr/><p:nvPr>${placeholder}</p:nvPr></p:nvSpPr><p:spPr>${place}</p:spPr><p:txBody>${body}<a:lstStyle/>${paragraphs}</p:txBody></p:sp>`;
}

const paragraph = (text: string, level = 0): string =>
  `<a:p><a:pPr lvl="${level}"/><a:r><a:rPr lang="en-GB"/><a:t>${text}</a:t></a:r></a:p>`;

const level = (number: number, size: number, indent: number): string =>
  `<a:lvl${number}pPr marL="${indent}" indent="-228600" algn="l"><a:lnSpc><a:spcPct val="90000"/></a:lnSpc><a:spcBef><a:spcPts val="${number === 1 ? 1000 : 500}"/></a:spcBef><a:buFont typeface="Arial"/><a:buChar char="•"/><a:defRPr sz="${size}"><a:solidFill><a:schemeClr val="tx1"/></a:solidFill><a:latin typeface="+mn-lt"/></a:defRPr></a:lvl${number}pPr>`;

const TITLE = '<p:ph type="title"/>';
const BODY = '<p:ph type="body" idx="1"/>';
const TITLE_AT = [838_200, 365_125, 10_515_600, 1_325_563] as const;
const BODY_AT = [838_200, 1_825_625, 10_515_600, 2_700_000] as const;
/** A text box whose height PowerPoint has fitted to one line of 18 points. */
const BOX_AT = [6_800_000, 5_400_000, 4_600_000, 369_332] as const;

const MASTER = `<p:sldMaster ${NAMESPACES}><p:cSld><p:bg><p:bgPr><a:solidFill><a:schemeClr val="bg1"/></a:solidFill><a:effectLst/></p:bgPr></p:bg><p:spTree>${GROUP}${shape({ id: 2, placeholder: TITLE, at: TITLE_AT, body: '<a:bodyPr vert="horz" lIns="91440" tIns="45720" rIns="91440" bIns="45720" anchor="ctr"><a:normAutofit/></a:bodyPr>', paragraphs: paragraph('Title') })}${shape({ id: 3, placeholder: BODY, at: BODY_AT, body: '<a:bodyPr vert="horz" lIns="91440" tIns="45720" rIns="91440" bIns="45720"><a:normAutofit/></a:bodyPr>', paragraphs: paragraph('Text') })}</p:spTree></p:cSld><p:clrMap bg1="lt1" tx1="dk1" bg2="lt2" tx2="dk2" accent1="accent1" accent2="accent2" accent3="accent3" accent4="accent4" accent5="accent5" accent6="accent6" hlink="hlink" folHlink="folHlink"/><p:sldLayoutIdLst><p:sldLayoutId id="2147483649" r:id="rId1"/></p:sldLayoutIdLst><p:txStyles><p:titleStyle><a:lvl1pPr algn="l"><a:lnSpc><a:spcPct val="90000"/></a:lnSpc><a:buNone/><a:defRPr sz="4400"><a:latin typeface="+mj-lt"/></a:defRPr></a:lvl1pPr></p:titleStyle><p:bodyStyle>${level(1, 2800, 228_600)}${level(2, 2400, 685_800)}</p:bodyStyle><p:otherStyle><a:lvl1pPr marL="0"><a:defRPr sz="1800"/></a:lvl1pPr></p:otherStyle></p:txStyles></p:sldMaster>`;

const LAYOUT = `<p:sldLayout ${NAMESPACES} type="obj"><p:cSld name="Title and Content"><p:spTree>${GROUP}${shape({ id: 2, placeholder: TITLE, paragraphs: paragraph('Title') })}${shape({ id: 3, placeholder: '<p:ph type="body" idx="1"/>', paragraphs: paragraph('Text') })}</p:spTree></p:cSld><p:clrMapOvr><a:masterClrMapping/></p:clrMapOvr></p:sldLayout>`;

export interface Deck {
  title: string;
  /** Entries of the list, each with its level from 0. */
  entries: readonly (readonly [text: string, level: number])[];
  /** The line of a text box, in the quarter at the lower right. */
  box: string;
}

export function slideDeck({ title, entries, box }: Deck): Buffer {
  const slide = `<p:sld ${NAMESPACES}><p:cSld><p:spTree>${GROUP}${shape({ id: 2, placeholder: TITLE, paragraphs: paragraph(title) })}${shape({ id: 3, placeholder: BODY, paragraphs: entries.map(([text, depth]) => paragraph(text, depth)).join('') })}${shape({ id: 4, at: BOX_AT, body: '<a:bodyPr wrap="square"><a:spAutoFit/></a:bodyPr>', paragraphs: paragraph(box) })}</p:spTree></p:cSld><p:clrMapOvr><a:masterClrMapping/></p:clrMapOvr></p:sld>`;
  return Buffer.from(
    pack({
      '[Content_Types].xml': CONTENT_TYPES,
      '_rels/.rels': relationships(['rId1', 'officeDocument', 'ppt/presentation.xml']),
      'ppt/presentation.xml': `<p:presentation ${NAMESPACES}><p:sldMasterIdLst><p:sldMasterId id="2147483648" r:id="rId1"/></p:sldMasterIdLst><p:sldIdLst><p:sldId id="256" r:id="rId2"/></p:sldIdLst><p:sldSz cx="${WIDTH}" cy="${HEIGHT}"/><p:notesSz cx="${HEIGHT}" cy="${WIDTH}"/></p:presentation>`,
      'ppt/_rels/presentation.xml.rels': relationships(
        ['rId1', 'slideMaster', 'slideMasters/slideMaster1.xml'],
        ['rId2', 'slide', 'slides/slide1.xml'],
        ['rId3', 'theme', 'theme/theme1.xml'],
      ),
      'ppt/theme/theme1.xml': THEME,
      'ppt/slideMasters/slideMaster1.xml': MASTER,
      'ppt/slideMasters/_rels/slideMaster1.xml.rels': relationships(
        ['rId1', 'slideLayout', '../slideLayouts/slideLayout1.xml'],
        ['rId2', 'theme', '../theme/theme1.xml'],
      ),
      'ppt/slideLayouts/slideLayout1.xml': LAYOUT,
      'ppt/slideLayouts/_rels/slideLayout1.xml.rels': relationships([
        'rId1',
        'slideMaster',
        '../slideMasters/slideMaster1.xml',
      ]),
      'ppt/slides/slide1.xml': slide,
      'ppt/slides/_rels/slide1.xml.rels': relationships(['rId1', 'slideLayout', '../slideLayouts/slideLayout1.xml']),
    }),
  );
}
