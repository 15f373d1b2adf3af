/** Reads plain text as paragraphs, and as headings, lists and aligned parts where these are certain. */
import type { BlockDraft, ParsedContent } from '@quire/blocks/block';
import type { FormatReader } from '../../parser.ts';
import { groupBlocks } from './text-blocks.ts';
import { textPieces } from '../../encoding/text-file.ts';
import { LineGrouper, LineSplitter } from './text-lines.ts';

export const reader: FormatReader = {
  parse: async (file, context): Promise<ParsedContent> => {
    const builder = new TextBlockBuilder();
    let read = 0;
    for await (const piece of textPieces(file, context.signal)) {
      builder.push(piece);
      read += piece.length;
      context.onProgress(Math.min(1, read / Math.max(1, file.sizeBytes)));
    }
    return { blocks: builder.end(), pageCount: null, title: null, warnings: [] };
  },
};

export function parsePlainText(text: string): BlockDraft[] {
  const builder = new TextBlockBuilder();
  builder.push(text);
  return builder.end();
}

class TextBlockBuilder {
  private readonly splitter = new LineSplitter();
  private readonly grouper = new LineGrouper();
  private readonly blocks: BlockDraft[] = [];
  /** A group whose successor decides whether it is a heading. */
  private waiting: string[] | undefined;

  push(piece: string): void {
    for (const group of this.grouper.push(this.splitter.push(piece))) this.take(group);
  }

  end(): BlockDraft[] {
    for (const group of this.grouper.push(this.splitter.end())) this.take(group);
    for (const group of this.grouper.end()) this.take(group);
    this.take(undefined);
    return this.blocks;
  }

  private take(group: string[] | undefined): void {
    if (this.waiting !== undefined) for (const block of groupBlocks(this.waiting, group)) this.blocks.push(block);
    this.waiting = group;
  }
}
