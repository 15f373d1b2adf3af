/** Writes small PDFs for tests object by object, so that each test defines what its pages contain. */

export interface TextStyle {
  size?: number;
  /**
   * Helvetica (regular, bold, italic), Courier (regular, bold), Times, a font that maps a..z to Hebrew letters, and one
   * that maps them to letters of several scripts, as glyph numbers that are read as characters.
   */
  font?: 'regular' | 'bold' | 'italic' | 'mono' | 'hebrew' | 'garbled' | 'serif' | 'monoBold';
}

const FONTS = {
  regular: 'F1',
  bold: 'F2',
  italic: 'F3',
  mono: 'F4',
  hebrew: 'F5',
  garbled: 'F6',
  serif: 'F7',
  monoBold: 'F8',
};
const characterMap = (
  ranges: readonly string[],
): string => `/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapType 2 def
1 begincodespacerange <00> <FF> endcodespacerange
${ranges.length} beginbfrange ${ranges.join(' ')} endbfrange
endcmap end end`;
const HEBREW_MAP = characterMap(['<61> <7A> <05D0>']);
const GARBLED_MAP = characterMap(['<61> <67> <0627>', '<68> <6D> <0180>', '<6E> <72> <0436>', '<73> <7A> <0561>']);

/** Placeholder for the empty appearance of a field until the objects are numbered. */
const EMPTY_FORM = 'EMPTY_FORM';
const EMPTY = '<</Type/XObject/Subtype/Form/BBox[0 0 1 1]/Length 0>>\nstream\n\nendstream';

export class TestPage {
  readonly width: number;
  readonly height: number;
  readonly annotations: string[] = [];
  /** Structure types of the marked content, by its id. */
  readonly tags: string[] = [];
  /** Image object of a scanned page. */
  picture: string | undefined;
  /** Clockwise rotation of the displayed page, in degrees. */
  rotation: 0 | 90 | 180 | 270 = 0;
  /** Visible part of the page: left, bottom, right, top in points. */
  cropBox: readonly [number, number, number, number] | undefined;
  private readonly operators: string[] = [];

  constructor(width = 595, height = 842) {
    this.width = width;
    this.height = height;
  }

  /** Draws text; `y` is the baseline, measured from the top of the page. */
  text(x: number, y: number, text: string, style: TextStyle = {}): this {
    const font = FONTS[style.font ?? 'regular'];
    const escaped = text.replace(/[\\()]/g, String.raw`\$&`);
    this.operators.push(`BT /${font} ${style.size ?? 10} Tf ${x} ${this.height - y} Td (${escaped}) Tj ET`);
    return this;
  }

  /** Draws text in which every second part is a raised mark of the given size, as those of footnotes. */
  withMarks(x: number, y: number, parts: readonly string[], { size = 10, markSize = 6 } = {}): this {
    const drawn = parts.map((text, index) => {
      const isMark = index % 2 === 1;
      return `/F1 ${isMark ? markSize : size} Tf ${isMark ? 0.35 * size : 0} Ts (${text}) Tj`;
    });
    this.operators.push(`BT ${x} ${this.height - y} Td ${drawn.join(' ')} 0 Ts ET`);
    return this;
  }

  /** Draws the lines of one paragraph, 12 points apart. */
  lines(x: number, y: number, lines: readonly string[], style: TextStyle = {}): this {
    lines.forEach((line, index) => this.text(x, y + index * 12, line, style));
    return this;
  }

  /** Draws text that runs up the page; the position is measured as in `text`. */
  sideways(x: number, y: number, text: string, size = 10): this {
    this.operators.push(`BT /F1 ${size} Tf 0 1 -1 0 ${x} ${this.height - y} Tm (${text}) Tj ET`);
    return this;
  }

  /** Tags what `draw` draws with a structure type; `Artifact` content belongs to no element. */
  tagged(type: string, draw: (page: this) => unknown): this {
    const id = type === 'Artifact' ? '' : `<</MCID ${this.tags.push(type) - 1}>> `;
    this.operators.push(`/${type} ${id}${id === '' ? 'BMC' : 'BDC'}`);
    draw(this);
    this.operators.push('EMC');
    return this;
  }

  /** Draws text that rises at 45 degrees. */
  slanted(x: number, y: number, text: string, size: number): this {
    this.operators.push(`BT /F1 ${size} Tf 0.7071 0.7071 -0.7071 0.7071 ${x} ${this.height - y} Tm (${text}) Tj ET`);
    return this;
  }

  rule(x0: number, y0: number, x1: number, y1: number): this {
    this.operators.push(`0.5 w ${x0} ${this.height - y0} m ${x1} ${this.height - y1} l S`);
    return this;
  }

  /** Draws the rules around and between the cells of a grid. */
  grid(xs: readonly number[], ys: readonly number[]): this {
    const [left = 0, right = 0, top = 0, bottom = 0] = [xs[0], xs.at(-1), ys[0], ys.at(-1)];
    for (const y of ys) this.rule(left, y, right, y);
    for (const x of xs) this.rule(x, top, x, bottom);
    return this;
  }

  /** Draws a zigzag line, as in a chart. */
  zigzag(x0: number, y0: number, x1: number, y1: number, count: number): this {
    const step = (x1 - x0) / count;
    for (let i = 0; i < count; i++) {
      const [from, to] = i % 2 === 0 ? [y0, y1] : [y1, y0];
      this.rule(x0 + i * step, from, x0 + (i + 1) * step, to);
    }
    return this;
  }

  link(x0: number, y0: number, x1: number, y1: number, href: string): this {
    const rectangle = `[${x0} ${this.height - y1} ${x1} ${this.height - y0}]`;
    this.annotations.push(`<</Type/Annot/Subtype/Link/Rect${rectangle}/A<</S/URI/URI(${href})>>>>`);
    return this;
  }

  field(x0: number, y0: number, x1: number, y1: number, name: string, value: string): this {
    const rectangle = `[${x0} ${this.height - y1} ${x1} ${this.height - y0}]`;
    this.annotations.push(`<</Type/Annot/Subtype/Widget/FT/Tx/T(${name})/V(${value})/Rect${rectangle}>>`);
    return this;
  }

  checkbox(x0: number, y0: number, x1: number, y1: number, name: string, ticked: boolean): this {
    const rectangle = `[${x0} ${this.height - y1} ${x1} ${this.height - y0}]`;
    const state = ticked ? '/V/On/AS/On' : '/V/Off/AS/Off';
    this.annotations.push(
      `<</Type/Annot/Subtype/Widget/FT/Btn/T(${name})${state}/Rect${rectangle}/AP<</N<</On ${EMPTY_FORM}/Off ${EMPTY_FORM}>>>>>>`,
    );
    return this;
  }

  /** Draws a JPEG over the whole page. */
  scan(jpeg: Buffer, pixels: { width: number; height: number }): this {
    const size = `/Width ${pixels.width}/Height ${pixels.height}/ColorSpace/DeviceRGB/BitsPerComponent 8`;
    this.picture = `<</Type/XObject/Subtype/Image${size}/Filter/DCTDecode/Length ${jpeg.length}>>\nstream\n${jpeg.toString('latin1')}\nendstream`;
    this.operators.push(`q ${this.width} 0 0 ${this.height} 0 0 cm /Scan Do Q`);
    return this;
  }

  content(): string {
    return this.operators.join('\n');
  }
}

export interface PdfExtras {
  title?: string;
  /** Encrypts the file with a password. */
  encrypted?: boolean;
  /** First-level bookmarks: title and page index, from 0. */
  outline?: readonly (readonly [string, number])[];
}

export function makePdf(pages: readonly TestPage[], extras: PdfExtras = {}): Buffer {
  const objects: string[] = [];
  const add = (body: string): number => objects.push(body);
  const reserve = (): number => objects.push('');
  const catalog = reserve();
  const tree = reserve();
  const fonts = addFonts(add);
  const pageIds: number[] = [];
  const fieldIds: number[] = [];
  for (const page of pages) {
    const content = page.content();
    const stream = add(`<</Length ${content.length}>>\nstream\n${content}\nendstream`);
    const scan = page.picture === undefined ? '' : `/XObject<</Scan ${add(page.picture)} 0 R>>`;
    const empty = page.annotations.some((text) => text.includes(EMPTY_FORM)) ? add(EMPTY) : 0;
    const annotations = page.annotations.map((text) => add(text.replaceAll(EMPTY_FORM, `${empty} 0 R`)));
    fieldIds.push(...annotations.filter((_, index) => page.annotations[index]?.includes('/Widget')));
    pageIds.push(
      add(
        `<</Type/Page/Parent ${tree} 0 R/MediaBox[0 0 ${page.width} ${page.height}]/Contents ${stream} 0 R/StructParents ${pageIds.length}${visibleArea(page)}` +
          `/Resources<</Font<<${fonts}>>${scan}>>/Annots[${annotations.map((id) => `${id} 0 R`).join(' ')}]>>`,
      ),
    );
  }
  objects[tree - 1] = `<</Type/Pages/Kids[${pageIds.map((id) => `${id} 0 R`).join(' ')}]/Count ${pageIds.length}>>`;
  const form = fieldIds.length > 0 ? `/AcroForm<</Fields[${fieldIds.map((id) => `${id} 0 R`).join(' ')}]>>` : '';
  const outline =
    extras.outline === undefined ? '' : `/Outlines ${addOutline(add, reserve, objects, extras.outline, pageIds)} 0 R`;
  const structure = pages.some((page) => page.tags.length > 0)
    ? addStructure(add, reserve, objects, pages, pageIds)
    : '';
  objects[catalog - 1] = `<</Type/Catalog/Pages ${tree} 0 R${form}${outline}${structure}>>`;
  const info = add(`<</Title(${extras.title ?? ''})>>`);
  return serialise(objects, `/Root ${catalog} 0 R/Info ${info} 0 R${extras.encrypted === true ? encryption() : ''}`);
}

function visibleArea({ rotation, cropBox }: TestPage): string {
  const crop = cropBox === undefined ? '' : `/CropBox[${cropBox.join(' ')}]`;
  return rotation === 0 ? crop : `${crop}/Rotate ${rotation}`;
}

function addFonts(add: (body: string) => number): string {
  const base = (name: string): number => add(`<</Type/Font/Subtype/Type1/BaseFont/${name}/Encoding/WinAnsiEncoding>>`);
  const regular = base('Helvetica');
  const mapped = (map: string): number => {
    const stream = add(`<</Length ${map.length}>>\nstream\n${map}\nendstream`);
    return add(`<</Type/Font/Subtype/Type1/BaseFont/Helvetica/ToUnicode ${stream} 0 R>>`);
  };
  const hebrew = mapped(HEBREW_MAP);
  const garbled = mapped(GARBLED_MAP);
  const ids = [
    regular,
    base('Helvetica-Bold'),
    base('Helvetica-Oblique'),
    base('Courier'),
    hebrew,
    garbled,
    base('Times-Roman'),
    base('Courier-Bold'),
  ];
  return ids.map((id, index) => `/F${index + 1} ${id} 0 R`).join('');
}

function addOutline(
  add: (body: string) => number,
  reserve: () => number,
  objects: string[],
  entries: readonly (readonly [string, number])[],
  pageIds: readonly number[],
): number {
  const root = reserve();
  const first = objects.length + 1;
  entries.forEach(([title, page], index) => {
    const next = index + 1 < entries.length ? `/Next ${first + index + 1} 0 R` : '';
    add(`<</Title(${title})/Parent ${root} 0 R/Dest[${pageIds[page] ?? 0} 0 R/Fit]${next}>>`);
  });
  objects[root - 1] = `<</Type/Outlines/First ${first} 0 R/Last ${objects.length} 0 R/Count ${entries.length}>>`;
  return root;
}

/** Adds a structure element for each piece of marked content, as children of the root. */
function addStructure(
  add: (body: string) => number,
  reserve: () => number,
  objects: string[],
  pages: readonly TestPage[],
  pageIds: readonly number[],
): string {
  const root = reserve();
  const elements = pages.map((page, index) =>
    page.tags.map((type, id) =>
      add(`<</Type/StructElem/S/${type}/P ${root} 0 R/Pg ${pageIds[index] ?? 0} 0 R/K ${id}>>`),
    ),
  );
  const references = (ids: readonly number[]): string => ids.map((id) => `${id} 0 R`).join(' ');
  const parents = elements.map((ids, index) => `${index} [${references(ids)}]`).join(' ');
  objects[root - 1] = `<</Type/StructTreeRoot/K[${references(elements.flat())}]/ParentTree<</Nums[${parents}]>>>>`;
  return `/MarkInfo<</Marked true>>/StructTreeRoot ${root} 0 R`;
}

/** Returns an encryption dictionary that no password matches. */
function encryption(): string {
  const key = '41'.repeat(32);
  return `/ID[<${'00'.repeat(16)}><${'00'.repeat(16)}>]/Encrypt<</Filter/Standard/V 1/R 2/O<${key}>/U<${key}>/P -4>>`;
}

function serialise(objects: readonly string[], trailer: string): Buffer {
  let text = '%PDF-1.7\n';
  const offsets = objects.map((body, index) => {
    const offset = text.length;
    text += `${index + 1} 0 obj\n${body}\nendobj\n`;
    return offset;
  });
  const start = text.length;
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  text += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}trailer\n<</Size ${objects.length + 1}${trailer}>>\nstartxref\n${start}\n%%EOF\n`;
  return Buffer.from(text, 'latin1');
}
