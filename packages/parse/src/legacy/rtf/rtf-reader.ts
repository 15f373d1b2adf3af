/**
 * Interprets RTF. A stack of group states determines the destination of text (body, note, font table, none) and the
 * code page of its bytes. Unknown starred destinations are skipped, as the format requires.
 */
import type { BlockDraft } from '@quire/blocks/block';
import { hyperlinkAddress } from '../../office/build/fields.ts';
import { plainText } from '../../office/build/plain-text.ts';
import { latexOfObject } from '../equation/equation-object.ts';
import { symbolCharacter } from '../../structure/symbol-fonts.ts';
import { CHARACTERS, DESTINATIONS, STARRED_TEXT, SYMBOLS } from './destinations.ts';
import type { Destination } from './destinations.ts';
import { codePageOfNumber, decodeText } from './character-sets.ts';
import { PLAIN_PARAGRAPH, ParagraphFlow } from './paragraph-flow.ts';
import type { ParagraphState } from './paragraph-flow.ts';
import { RtfFonts } from './fonts.ts';
import { outermostGroup } from './group.ts';
import type { RtfGroup } from './group.ts';
import { changedParagraph } from './paragraph-words.ts';
import { RtfRow } from './row.ts';
import { styleOf } from './style-sheet.ts';
import type { RtfStyle } from './style-sheet.ts';
import type { RtfToken } from './tokens.ts';

/** Maximum number of nested groups; deeper ones are only counted. Real files stay below 50. */
const MAX_GROUPS = 1_000;
/**
 * Maximum length of an embedded object in hexadecimal digits. Formulas take some thousand; longer objects are pictures
 * or workbooks.
 */
const MAX_OBJECT_DIGITS = 2_000_000;
/** Default of `\\up` and `\\dn`, and the offset from which text is read as raised or lowered, in half points. */
const DEFAULT_OFFSET = 6;
const MIN_OFFSET = 4;
const COMPOUND_SIGNATURE = Buffer.from('d0cf11e0a1b11ae1', 'hex');

/** Destinations with their own paragraphs. */
const FLOWS: ReadonlySet<Destination> = new Set<Destination>(['note', 'comment', 'box', 'furniture']);
const SHOWN: ReadonlySet<Destination> = new Set<Destination>(['body', ...FLOWS]);

export class RtfReader {
  readonly #groups: RtfGroup[] = [];
  #excessDepth = 0;
  readonly #flows: { flow: ParagraphFlow; paragraph: ParagraphState }[] = [
    { flow: new ParagraphFlow(), paragraph: PLAIN_PARAGRAPH },
  ];
  readonly #fonts = new RtfFonts();
  readonly #styles = new Map<number, RtfStyle>();
  readonly #notes: BlockDraft[] = [];
  /** Headers and footers, used only if the file has no other text. */
  readonly #furniture: BlockDraft[] = [];
  readonly #row = new RtfRow();
  #documentCodePage = 'windows-1252';
  #starred = false;
  #groupJustOpened = false;
  #pending: number[] = [];
  #skipBytes = 0;
  #captured = '';
  #title = '';
  #style: { number: number; outline: number | undefined } = { number: 0, outline: undefined };
  #noteCount = 0;

  get title(): string {
    return this.#title.trim();
  }

  read(tokens: Iterable<RtfToken>): BlockDraft[] {
    for (const token of tokens) this.#token(token);
    this.#flush();
    while (this.#groups.length > 0) this.#close();
    const body = this.#flows[0];
    const blocks = [...(body?.flow.finish(body.paragraph) ?? []), ...this.#notes];
    return blocks.length > 0 ? blocks : this.#furniture;
  }

  get #group(): RtfGroup {
    return this.#groups.at(-1) ?? outermostGroup(this.#documentCodePage);
  }

  get #flow(): ParagraphFlow {
    return this.#flows.at(-1)?.flow ?? new ParagraphFlow();
  }

  get #paragraph(): ParagraphState {
    return this.#flows.at(-1)?.paragraph ?? PLAIN_PARAGRAPH;
  }

  #token(token: RtfToken): void {
    if (token.kind === 'byte') {
      if (this.#skipBytes > 0) this.#skipBytes -= 1;
      else this.#pending.push(token.byte);
      return;
    }
    this.#flush();
    if (token.kind === 'open') this.#open();
    else if (token.kind === 'close') this.#close();
    else if (token.kind === 'symbol') this.#symbol(token.symbol);
    else this.#word(token.name, token.value);
    if (token.kind !== 'symbol' || token.symbol !== '*') this.#starred = false;
    this.#groupJustOpened = token.kind === 'open';
  }

  #open(): void {
    this.#skipBytes = 0;
    if (this.#groups.length >= MAX_GROUPS) this.#excessDepth += 1;
    else
      this.#groups.push({
        ...this.#group,
        opens: false,
        linked: false,
        saved: { paragraph: this.#paragraph, flows: this.#flows.length },
      });
  }

  #close(): void {
    this.#skipBytes = 0;
    if (this.#excessDepth > 0) {
      this.#excessDepth -= 1;
      return;
    }
    const group = this.#groups.pop();
    if (!group) return;
    if (group.linked) this.#flow.text.closeLink();
    if (group.opens) this.#closeDestination(group.destination);
    const flow = this.#flows.at(-1);
    if (flow && this.#flows.length === group.saved.flows) flow.paragraph = group.saved.paragraph;
  }

  #closeDestination(destination: Destination): void {
    const parent = this.#groups.at(-1);
    if (destination === 'instruction' && parent) {
      parent.address = hyperlinkAddress(this.#captured);
    } else if (destination === 'object') {
      this.#formula(this.#captured);
    } else if (destination === 'label') {
      this.#flow.label = this.#captured;
    } else if (FLOWS.has(destination)) {
      this.#closeFlow(destination);
      return;
    }
    if (destination !== 'skip' && destination !== 'result') this.#captured = '';
  }

  /** Reads a formula from the hexadecimal digits of an embedded object; its file begins somewhere in them. */
  #formula(digits: string): void {
    const bytes = Buffer.from(digits.replace(/[^\da-f]/gi, ''), 'hex');
    const start = bytes.indexOf(COMPOUND_SIGNATURE);
    const latex = start < 0 ? undefined : latexOfObject(bytes.subarray(start));
    if (latex !== undefined) this.#flow.text.appendFormula(latex);
  }

  #closeFlow(destination: Destination): void {
    const closed = this.#flows.length > 1 ? this.#flows.pop() : undefined;
    if (!closed) return;
    const blocks = closed.flow.finish(closed.paragraph);
    if (destination === 'box') this.#flow.addBlocks(blocks);
    if (destination === 'furniture') this.#furniture.push(...blocks);
    if (destination !== 'note' && destination !== 'comment') return;
    const text = plainText(blocks);
    if (text !== '')
      this.#notes.push({
        type: 'footnote',
        text: destination === 'note' ? `[${this.#noteCount}] ${text}` : `Comment: ${text}`,
      });
  }

  #appendMarked(text: string): void {
    const { struck, shift } = this.#group;
    const { text: builder } = this.#flow;
    const start = builder.length;
    builder.append(text);
    builder.mark(start, [...(struck ? (['struck'] as const) : []), ...(shift === undefined ? [] : [shift])]);
  }

  #symbol(symbol: string): void {
    // The star has a meaning only at the start of a group.
    if (symbol === '*') this.#starred = this.#groupJustOpened;
    else if (symbol === '\n' || symbol === '\r') this.#endParagraph();
    else if (SYMBOLS[symbol] !== undefined) this.#text(SYMBOLS[symbol] ?? '');
  }

  #word(name: string, value: number | undefined): void {
    const destination = DESTINATIONS[name];
    if (this.#starred && !STARRED_TEXT.has(name)) this.#enter('skip');
    else if (destination) this.#enter(destination);
    else if (name === 'title' && this.#group.destination === 'info') this.#enter('title');
    else if (name === 'u') this.#unicode(value ?? 0);
    else if (CHARACTERS[name] !== undefined) this.#text(CHARACTERS[name] ?? '');
    else if (this.#group.destination === 'fonts') this.#fonts.word(name, value);
    else if (this.#group.destination === 'styles') this.#styleWord(name, value);
    else if (!this.#characterWord(name, value) && this.#group.destination !== 'skip') this.#paragraphWord(name, value);
  }

  #enter(destination: Destination): void {
    const group = this.#group;
    if (group.destination === 'skip') return;
    group.destination = destination;
    group.opens = true;
    if (destination === 'result') {
      group.destination = 'body';
      const address = this.#groups.at(-2)?.address;
      if (address !== undefined) {
        group.linked = true;
        this.#flow.text.openLink(address);
      }
      group.opens = false;
    } else if (FLOWS.has(destination)) {
      if (destination === 'note') {
        this.#noteCount += 1;
        this.#flow.text.append(`[${this.#noteCount}]`);
      }
      this.#flows.push({ flow: new ParagraphFlow(), paragraph: PLAIN_PARAGRAPH });
    }
    if (destination !== 'skip') this.#captured = '';
  }

  /** Applies words that affect how characters are read. Returns false for others. */
  #characterWord(name: string, value: number | undefined): boolean {
    const group = this.#group;
    switch (name) {
      case 'ansicpg':
        this.#documentCodePage = codePageOfNumber(value ?? 1252);
        group.codePage = this.#documentCodePage;
        return true;
      case 'mac':
        this.#documentCodePage = 'macintosh';
        group.codePage = this.#documentCodePage;
        return true;
      case 'deff':
        this.#fonts.defaultNumber = value ?? 0;
        return true;
      case 'f':
        this.#useFont(value ?? 0);
        return true;
      case 'uc':
        group.fallbackBytes = Math.min(100, Math.max(0, value ?? 1));
        return true;
      case 'strike':
      case 'striked':
        group.struck = value !== 0;
        return true;
      case 'super':
        group.shift = value === 0 ? undefined : 'raised';
        return true;
      case 'sub':
        group.shift = value === 0 ? undefined : 'lowered';
        return true;
      case 'nosupersub':
        group.shift = undefined;
        return true;
      case 'up':
      case 'dn':
        group.shift = (value ?? DEFAULT_OFFSET) < MIN_OFFSET ? undefined : name === 'up' ? 'raised' : 'lowered';
        return true;
      case 'plain':
        group.hidden = false;
        group.struck = false;
        group.shift = undefined;
        this.#useFont(this.#fonts.defaultNumber);
        return true;
      case 'v':
      case 'deleted':
        group.hidden = value !== 0;
        return true;
      default:
        return false;
    }
  }

  #useFont(number: number): void {
    const font = this.#fonts.find(number);
    this.#group.codePage = font?.codePage ?? this.#documentCodePage;
    this.#group.symbolFont = font?.symbol === true ? 'Symbol' : undefined;
  }

  #styleWord(name: string, value: number | undefined): void {
    if (name === 's') this.#style = { number: value ?? 0, outline: undefined };
    if (name === 'cs' || name === 'ds' || name === 'ts') this.#style = { number: -1, outline: undefined };
    if (name === 'outlinelevel') this.#style.outline = value;
  }

  #paragraphWord(name: string, value: number | undefined): void {
    switch (name) {
      case 'par':
      case 'sect':
        this.#endParagraph();
        break;
      case 'cell':
        this.#flow.endCell(this.#paragraph, 1);
        break;
      case 'row':
        this.#flow.endRow(this.#row.definition(), 1);
        break;
      case 'nestcell':
        this.#flow.endCell(this.#paragraph, Math.max(2, this.#paragraph.tableDepth));
        break;
      case 'nestrow':
        this.#flow.endRow(this.#row.definition(), Math.max(2, this.#paragraph.tableDepth));
        break;
      default: {
        const current = this.#flows.at(-1);
        const changed = changedParagraph(this.#paragraph, name, value, this.#styles);
        if (current && changed) current.paragraph = changed;
        else this.#row.word(name, value);
      }
    }
  }

  #endParagraph(): void {
    if (this.#group.destination !== 'skip') this.#flow.endParagraph(this.#paragraph);
  }

  #unicode(value: number): void {
    const code = value < 0 ? value + 0x10000 : value;
    this.#text(code >= 0xf000 && code <= 0xf0ff ? symbolCharacter('Symbol', code) : String.fromCharCode(code & 0xffff));
    this.#skipBytes = this.#group.fallbackBytes;
  }

  #flush(): void {
    if (this.#pending.length === 0) return;
    const bytes = this.#pending;
    this.#pending = [];
    const { symbolFont, codePage } = this.#group;
    if (symbolFont === undefined) this.#text(decodeText(bytes, codePage));
    else this.#text(bytes.map((byte) => symbolCharacter(symbolFont, byte)).join(''));
  }

  #text(text: string): void {
    const { destination, hidden } = this.#group;
    if (destination === 'instruction' || destination === 'label') this.#captured += text;
    else if (destination === 'object' && this.#captured.length < MAX_OBJECT_DIGITS) this.#captured += text;
    else if (destination === 'title') this.#title += text;
    else if (destination === 'styles') this.#styleName(text);
    else if (SHOWN.has(destination) && !hidden) this.#appendMarked(text);
  }

  /** Collects a style name, which ends with a semicolon; one run of text may contain several. */
  #styleName(text: string): void {
    this.#captured += text;
    if (!text.includes(';')) return;
    if (this.#style.number >= 0) {
      this.#styles.set(this.#style.number, styleOf(this.#captured.split(';')[0] ?? '', this.#style.outline));
    }
    this.#captured = '';
    this.#style = { number: 0, outline: undefined };
  }
}
