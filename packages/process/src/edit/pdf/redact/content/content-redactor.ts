/**
 * Removes everything under a redaction from a content stream: glyphs (the text around them keeps its position),
 * drawings that are completely inside a box, and images and forms, which are replaced by redacted copies. All other
 * bytes stay unchanged.
 */
import { PDFRawStream, PDFRef, PDFStream, type PDFContext, type PDFDict, type PDFObject } from '@cantoo/pdf-lib';
import type { PageBox } from '../../page-geometry.ts';
import { contentOperations, type ContentOperation, type Operand } from './content-tokens.ts';
import { fontMetrics, type FontMetrics } from '../fonts/font-metrics.ts';
import { GraphicsState } from './graphics-state.ts';
import { redactImage } from '../images/image-pixels.ts';
import { IDENTITY, multiply, type Matrix } from '@quire/parse/formats/pdf/matrix';
import { mapBox } from '../targets/page-boxes.ts';
import { PathEraser } from './path-eraser.ts';
import { arrayAt, copyOf, dictAt, dictOf, key, nameAt, numbersOf } from '../objects/pdf-objects.ts';
import type { RedactionMask } from '../targets/redaction-mask.ts';
import { ShownText } from './shown-text.ts';
import { decodedBytes } from '../objects/stream-bytes.ts';

export interface RedactedContent {
  bytes: Uint8Array;
  /** The resources of the content: a new dictionary if a form or picture was replaced by a redacted copy. */
  resources: PDFDict | undefined;
  changed: boolean;
  /** Number of graphics states that the content saves and does not restore. */
  openStates: number;
}

/** Totals for a page over all its streams. */
export interface RedactionTally {
  glyphs: number;
  images: number;
  /**
   * Whether something under a redaction could not be removed from the content, so that the page must become an image.
   */
  unproven: boolean;
}

const MAX_DEPTH = 12;
/** Maximum number of forms drawn per page. It stops forms that draw themselves repeatedly. */
const MAX_FORMS = 2_000;

export class ContentRedactor {
  readonly tally: RedactionTally = { glyphs: 0, images: 0, unproven: false };
  readonly #context: PDFContext;
  readonly #mask: RedactionMask;
  readonly #replaced: Set<PDFRef>;
  readonly #fonts = new Map<PDFDict | undefined, FontMetrics>();
  #forms = 0;

  /** `replaced` collects the objects that redacted copies replace. */
  constructor(context: PDFContext, mask: RedactionMask, replaced: Set<PDFRef>) {
    this.#context = context;
    this.#mask = mask;
    this.#replaced = replaced;
  }

  async redact(
    bytes: Uint8Array,
    resources: PDFDict | undefined,
    matrix = IDENTITY,
    depth = 0,
  ): Promise<RedactedContent> {
    const stream = new StreamRedaction(bytes, resources, matrix);
    for (const operation of contentOperations(bytes)) {
      const { name } = operation;
      if (name === 'Do') await this.#draw(stream, operation, depth);
      else if (name === 'BI') this.#inlineImage(stream);
      else if (name === 'Tj' || name === 'TJ' || name === "'" || name === '"') this.#show(stream, operation);
      else stream.take(operation, this.#mask, (font) => this.#metrics(font));
    }
    return stream.result();
  }

  #metrics(font: PDFDict | undefined): FontMetrics {
    let metrics = this.#fonts.get(font);
    if (metrics === undefined) {
      metrics = fontMetrics(font);
      this.#fonts.set(font, metrics);
    }
    return metrics;
  }

  #show(stream: StreamRedaction, operation: ContentOperation): void {
    const { state } = stream;
    if (operation.name === "'" || operation.name === '"') state.nextLine();
    if (operation.name === '"') state.spacings(operation.operands);
    const shown = new ShownText(operation.operands.at(-1), state);
    const removed = shown.remove(this.#mask);
    if (removed === 0) return;
    this.tally.glyphs += removed;
    stream.taken.add(stream.markedAt);
    const before =
      operation.name === "'"
        ? 'T* '
        : operation.name === '"'
          ? `${state.wordSpacing} Tw ${state.characterSpacing} Tc T* `
          : '';
    stream.edit(operation, `${before}${shown.source()} TJ`);
  }

  /**
   * Inline images are small and have their own encodings and colour spaces. They are not decoded; a redacted one marks
   * the page as unproven.
   */
  #inlineImage(stream: StreamRedaction): void {
    if (this.#mask.touches(mapBox(stream.state.matrix, UNIT))) this.tally.unproven = true;
  }

  async #draw(stream: StreamRedaction, operation: ContentOperation, depth: number): Promise<void> {
    const [operand] = operation.operands;
    const name = operand?.kind === 'name' ? operand.value : '';
    const object = dictAt(stream.resources, 'XObject')?.lookup(key(name));
    if (!(object instanceof PDFStream)) return;
    if (nameAt(object.dict, 'Subtype') === 'Form') await this.#form(stream, operation, object, depth);
    else if (nameAt(object.dict, 'Subtype') === 'Image') await this.#image(stream, operation, object);
  }

  async #form(stream: StreamRedaction, operation: ContentOperation, form: PDFStream, depth: number): Promise<void> {
    const written = numbersOf(arrayAt(form.dict, 'Matrix'));
    const own: Matrix = written.length === 6 ? (written as unknown as Matrix) : IDENTITY;
    const matrix = multiply(own, stream.state.matrix);
    this.#forms += 1;
    const bytes = decodedBytes(form);
    if (bytes === undefined || depth >= MAX_DEPTH || this.#forms > MAX_FORMS) {
      this.tally.unproven = true;
      return;
    }
    const resources = dictAt(form.dict, 'Resources') ?? stream.resources;
    const redacted = await this.redact(bytes, resources, matrix, depth + 1);
    if (!redacted.changed) return;
    const copy = this.#context.flateStream(redacted.bytes);
    for (const [entry, value] of form.dict.entries()) {
      if (!STREAM_KEYS.has(entry.decodeText())) copy.dict.set(entry, value);
    }
    if (redacted.resources !== undefined) copy.dict.set(key('Resources'), redacted.resources);
    this.#replace(stream, operation, copy);
  }

  #replace(stream: StreamRedaction, operation: ContentOperation, copy: PDFStream): void {
    const original = stream.replaceObject(operation, this.#context.register(copy));
    if (original instanceof PDFRef) this.#replaced.add(original);
  }

  async #image(stream: StreamRedaction, operation: ContentOperation, image: PDFStream): Promise<void> {
    const regions = this.#mask.regionsOf(stream.state.matrix);
    if (regions.length === 0) return;
    const copy = image instanceof PDFRawStream ? await redactImage(this.#context, image, regions) : undefined;
    if (copy === undefined) this.tally.unproven = true;
    else {
      this.#replace(stream, operation, copy);
      this.tally.images += 1;
    }
  }
}

const UNIT: PageBox = [0, 0, 1, 1];
/** Keys that describe how a stream was stored, or hold copies of what it displays. */
const STREAM_KEYS = new Set(['Length', 'Filter', 'DecodeParms', 'Metadata', 'PieceInfo', 'LastModified', 'Ref']);

/** The state of one stream during redaction: its graphics state and the edits of its bytes. */
class StreamRedaction {
  readonly state: GraphicsState;
  resources: PDFDict | undefined;
  /** Start offsets of marked content (`BDC`) that lost glyphs. Its alternative text is removed as well. */
  readonly taken = new Set<number>();
  readonly #bytes: Uint8Array;
  readonly #edits: { start: number; end: number; source: string }[] = [];
  readonly #paths = new PathEraser();
  readonly #marks: ContentOperation[] = [];
  readonly #allMarks: ContentOperation[] = [];
  #ownResources = false;
  #copies = 0;

  constructor(bytes: Uint8Array, resources: PDFDict | undefined, matrix: Matrix) {
    this.#bytes = bytes;
    this.resources = resources;
    this.state = new GraphicsState(matrix);
  }

  get markedAt(): number {
    return this.#marks.at(-1)?.start ?? -1;
  }

  take(operation: ContentOperation, mask: RedactionMask, metricsOf: (font: PDFDict | undefined) => FontMetrics): void {
    const { name, operands } = operation;
    if (name === 'BDC' || name === 'BMC') {
      this.#marks.push(operation);
      this.#allMarks.push(operation);
    } else if (name === 'EMC') this.#marks.pop();
    else if (name === 'Tf') this.state.setFont(metricsOf(this.#font(operands[0])), operands[1]);
    else if (name === 'gs') this.#graphicsState(operands[0], metricsOf);
    else if (name === 'Q' && !this.state.restore()) this.edit(operation, '');
    else if (name !== 'Q') this.state.take(name, operands);
    for (const edit of this.#paths.take(operation, this.state.matrix, mask)) this.edit(edit, edit.source);
  }

  edit({ start, end }: { start: number; end: number }, source: string): void {
    this.#edits.push({ start, end, source });
  }

  /** Draws the object under a new name instead of the operation's own. Returns the object that was replaced. */
  replaceObject(operation: ContentOperation, reference: PDFRef): PDFObject | undefined {
    const objects = this.#ownObjects();
    const name = this.#unusedName(objects);
    objects.set(key(name), reference);
    this.edit(operation, `/${name} Do`);
    const [operand] = operation.operands;
    return operand?.kind === 'name' ? objects.get(key(operand.value)) : undefined;
  }

  result(): RedactedContent {
    for (const mark of this.#allMarks) if (this.taken.has(mark.start)) this.#dropAlternatives(mark);
    const openStates = this.state.depth;
    const changed = this.#edits.length > 0;
    if (!changed) return { bytes: this.#bytes, resources: this.resources, changed, openStates };
    const parts: Uint8Array[] = [];
    let position = 0;
    for (const { start, end, source } of this.#edits.toSorted((a, b) => a.start - b.start)) {
      if (start < position) continue;
      parts.push(this.#bytes.subarray(position, start), Buffer.from(`${source} `, 'latin1'));
      position = end;
    }
    parts.push(this.#bytes.subarray(position));
    return { bytes: Buffer.concat(parts), resources: this.resources, changed, openStates };
  }

  /** Reduces `/Span <</ActualText (…)>> BDC` to its tag and keeps its number in the structure tree. */
  #dropAlternatives(mark: ContentOperation): void {
    const [tag, properties] = mark.operands;
    const source = Buffer.from(this.#bytes.subarray(mark.start, mark.end)).toString('latin1');
    if (mark.name !== 'BDC' || tag?.kind !== 'name') return;
    const named =
      properties?.kind === 'name' ? dictAt(dictAt(this.resources, 'Properties'), properties.value) : undefined;
    const hides =
      named === undefined
        ? /\/(?:ActualText|Alt|E)\b/.test(source)
        : named.has(key('ActualText')) || named.has(key('Alt'));
    if (!hides) return;
    const number = /\/MCID\s+(\d+)/.exec(source)?.[1] ?? named?.lookup(key('MCID'))?.toString();
    this.edit(mark, number === undefined ? `/${tag.value} BMC` : `/${tag.value} <</MCID ${number}>> BDC`);
  }

  #font(operand: Operand | undefined): PDFDict | undefined {
    return operand?.kind === 'name' ? dictAt(dictAt(this.resources, 'Font'), operand.value) : undefined;
  }

  #graphicsState(operand: Operand | undefined, metricsOf: (font: PDFDict | undefined) => FontMetrics): void {
    const dict = operand?.kind === 'name' ? dictAt(dictAt(this.resources, 'ExtGState'), operand.value) : undefined;
    const font = arrayAt(dict, 'Font');
    if (font === undefined) return;
    const value = numbersOf(font)[1] ?? 1;
    this.state.setFont(metricsOf(dictOf(font.lookup(0))), { kind: 'number', value });
  }

  #unusedName(objects: PDFDict): string {
    for (;;) {
      const name = `Redacted${this.#copies}`;
      this.#copies += 1;
      if (!objects.has(key(name))) return name;
    }
  }

  /** Returns a private copy of the resources, because resource dictionaries are shared between pages. */
  #ownObjects(): PDFDict {
    const given = dictAt(this.resources, 'XObject');
    if (this.#ownResources && given !== undefined) return given;
    const context = this.resources?.context;
    if (context === undefined) throw new Error('a drawn object has no resources');
    const resources = copyOf(this.resources, context);
    const objects = copyOf(given, context);
    resources.set(key('XObject'), objects);
    this.resources = resources;
    this.#ownResources = true;
    return objects;
  }
}
