import { shiftLines } from '@quire/blocks/text-lines';
import type { Place } from './boxes.ts';
import type { ChunkingOptions } from './chunk.ts';
import type { Lead, BlockText, Piece } from './block-text.ts';
import type { TextSpan } from './text-spans.ts';

/** A chunk before it gets its headings and number. */
export interface PackedChunk {
  text: string;
  tokens: number;
  blockIds: string[];
  places: Place[];
  /** Line map of the text. */
  lines: TextSpan[];
}

/** A chunk with the section that it belongs to. */
export interface SectionChunk extends PackedChunk {
  headings: readonly string[];
  /** The block of the innermost heading, if the chunk contains everything in its section. */
  soleOf?: { headingId: string; isHeadingOnly: boolean };
}

/** Share at which a chunk is closed instead of dividing a paragraph that fits the next chunk as a whole. */
const MIN_FILL_SHARE = 0.5;

/** Fills chunks with the block texts of one section, in order. */
export class Packer {
  readonly chunks: PackedChunk[] = [];
  private readonly options: ChunkingOptions;
  private open: PackedChunk | undefined;
  private openLead: Lead | undefined;
  /** The last sentences of the open chunk, for the overlap; cleared by anything that is not prose. */
  private tail: { piece: Piece; blockText: BlockText }[] = [];
  private lastText: BlockText | undefined;

  constructor(options: ChunkingOptions) {
    this.options = options;
  }

  add(blockText: BlockText): void {
    const { maxTokens } = this.options;
    const used = this.open?.tokens ?? 0;
    const { whole } = blockText;
    if (whole !== undefined && (used + whole.tokens <= maxTokens || used >= maxTokens * MIN_FILL_SHARE)) {
      if (used + whole.tokens > maxTokens) this.close();
      this.append(whole, blockText);
      return;
    }
    for (const piece of blockText.divide()) this.place(piece, blockText);
  }

  end(): PackedChunk[] {
    this.close();
    return this.chunks;
  }

  private place(piece: Piece, blockText: BlockText): void {
    if (!this.fits(piece)) {
      const overlap = this.overlap(piece, blockText);
      this.close();
      for (const repeated of overlap) this.append(repeated.piece, repeated.blockText);
    }
    this.append(piece, blockText);
  }

  private fits(piece: Piece): boolean {
    if (this.open === undefined) return true;
    const lead = piece.lead === this.openLead ? 0 : (piece.lead?.tokens ?? 0);
    return this.open.tokens + lead + piece.tokens <= this.options.maxTokens;
  }

  /**
   * Returns the sentences of the same block with which the next chunk starts again, as many as overlap and piece allow.
   */
  private overlap(next: Piece, blockText: BlockText): { piece: Piece; blockText: BlockText }[] {
    const { maxTokens, overlapTokens } = this.options;
    let room = Math.min(overlapTokens, maxTokens - next.tokens);
    const repeated: { piece: Piece; blockText: BlockText }[] = [];
    for (const sentence of this.tail.toReversed()) {
      room -= sentence.piece.tokens;
      if (room < 0 || sentence.blockText !== blockText) break;
      repeated.unshift(sentence);
    }
    return repeated;
  }

  private append(piece: Piece, blockText: BlockText): void {
    const { lead } = piece;
    const isNew = this.open === undefined;
    this.open ??= { text: '', tokens: 0, blockIds: [], places: [], lines: [] };
    if (!isNew) this.open.text += this.separator(piece, blockText);
    if (lead !== undefined && lead !== this.openLead) {
      this.open.lines.push(...shiftLines(lead.lines, this.open.text.length));
      this.open.text += `${lead.text}\n`;
      this.open.tokens += lead.tokens;
    }
    this.openLead = lead;
    this.open.lines.push(...shiftLines(piece.lines, this.open.text.length));
    this.open.text += piece.text;
    this.open.tokens += piece.tokens;
    if (this.lastText !== blockText || isNew) {
      for (const id of blockText.blockIds) if (this.open.blockIds.at(-1) !== id) this.open.blockIds.push(id);
      this.open.places.push(...blockText.places);
    }
    this.lastText = blockText;
    if (blockText.isProse) this.tail.push({ piece, blockText });
    else this.tail = [];
  }

  private separator(piece: Piece, blockText: BlockText): string {
    if (this.lastText === blockText) return piece.joiner;
    return blockText.isItem === true && this.lastText?.isItem === true ? '\n' : '\n\n';
  }

  private close(): void {
    if (this.open !== undefined) this.chunks.push(this.open);
    this.open = undefined;
    this.openLead = undefined;
    this.tail = [];
  }
}
