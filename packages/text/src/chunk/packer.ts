import type { TextLine } from '@quire/blocks/block';
import { shiftLines } from '@quire/blocks/text-lines';
import type { Place } from './boxes.ts';
import type { ChunkingOptions } from './chunk.ts';
import type { Lead, Passage, Piece } from './passage.ts';

/** A chunk before it has its headings and number. */
export interface PackedChunk {
  text: string;
  tokens: number;
  blockIds: string[];
  places: Place[];
  /** Line map of the text. */
  lines: TextLine[];
}

/** A chunk with the section it is from. */
export interface SectionChunk extends PackedChunk {
  headings: readonly string[];
  /** The innermost heading's block, when the chunk is all that its section holds. */
  soleOf?: { headingId: string; isHeadingOnly: boolean };
}

/** A chunk this full is closed rather than that a paragraph, which the next one can hold whole, is divided. */
const FULL_ENOUGH = 0.5;

/** Fills chunks with the passages of one section, in order. */
export class Packer {
  readonly chunks: PackedChunk[] = [];
  private readonly options: ChunkingOptions;
  private open: PackedChunk | undefined;
  private openLead: Lead | undefined;
  /** The last sentences of the open chunk, for the overlap; emptied by anything that is no prose. */
  private tail: { piece: Piece; passage: Passage }[] = [];
  private lastPassage: Passage | undefined;

  constructor(options: ChunkingOptions) {
    this.options = options;
  }

  add(passage: Passage): void {
    const { maxTokens } = this.options;
    const used = this.open?.tokens ?? 0;
    const { whole } = passage;
    if (whole !== undefined && (used + whole.tokens <= maxTokens || used >= maxTokens * FULL_ENOUGH)) {
      if (used + whole.tokens > maxTokens) this.close();
      this.append(whole, passage);
      return;
    }
    for (const piece of passage.divide()) this.place(piece, passage);
  }

  end(): PackedChunk[] {
    this.close();
    return this.chunks;
  }

  private place(piece: Piece, passage: Passage): void {
    if (!this.fits(piece)) {
      const overlap = this.overlap(piece, passage);
      this.close();
      for (const repeated of overlap) this.append(repeated.piece, repeated.passage);
    }
    this.append(piece, passage);
  }

  private fits(piece: Piece): boolean {
    if (this.open === undefined) return true;
    const lead = piece.lead === this.openLead ? 0 : (piece.lead?.tokens ?? 0);
    return this.open.tokens + lead + piece.tokens <= this.options.maxTokens;
  }

  /** Sentences of the same passage that the next chunk begins with again, as many as the overlap and the piece allow. */
  private overlap(next: Piece, passage: Passage): { piece: Piece; passage: Passage }[] {
    const { maxTokens, overlapTokens } = this.options;
    let room = Math.min(overlapTokens, maxTokens - next.tokens);
    const repeated: { piece: Piece; passage: Passage }[] = [];
    for (const sentence of this.tail.toReversed()) {
      room -= sentence.piece.tokens;
      if (room < 0 || sentence.passage !== passage) break;
      repeated.unshift(sentence);
    }
    return repeated;
  }

  private append(piece: Piece, passage: Passage): void {
    const { lead } = piece;
    const isNew = this.open === undefined;
    this.open ??= { text: '', tokens: 0, blockIds: [], places: [], lines: [] };
    if (!isNew) this.open.text += this.separator(piece, passage);
    if (lead !== undefined && lead !== this.openLead) {
      this.open.lines.push(...shiftLines(lead.lines, this.open.text.length));
      this.open.text += `${lead.text}\n`;
      this.open.tokens += lead.tokens;
    }
    this.openLead = lead;
    this.open.lines.push(...shiftLines(piece.lines, this.open.text.length));
    this.open.text += piece.text;
    this.open.tokens += piece.tokens;
    if (this.lastPassage !== passage || isNew) {
      for (const id of passage.blockIds) if (this.open.blockIds.at(-1) !== id) this.open.blockIds.push(id);
      this.open.places.push(...passage.places);
    }
    this.lastPassage = passage;
    if (passage.isProse) this.tail.push({ piece, passage });
    else this.tail = [];
  }

  private separator(piece: Piece, passage: Passage): string {
    if (this.lastPassage === passage) return piece.joiner;
    return passage.isItem === true && this.lastPassage?.isItem === true ? '\n' : '\n\n';
  }

  private close(): void {
    if (this.open !== undefined) this.chunks.push(this.open);
    this.open = undefined;
    this.openLead = undefined;
    this.tail = [];
  }
}
