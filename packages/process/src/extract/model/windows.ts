/** Renders a document as text for a model, split into windows of whole blocks. */
import type { DocumentTree } from '@quire/blocks/block';
import { ownText, walkBlocks } from '@quire/blocks/walk';
import type { TokenCounter } from '@quire/text/chunk/token-counter';

/** Returns windows of at most `maxTokens`, by the model's token counter; at least one window, which may be empty. */
export function windowsOf(tree: DocumentTree, counter: TokenCounter, maxTokens: number): string[] {
  const windows: string[] = [];
  let parts: string[] = [];
  let tokens = 0;
  const close = (): void => {
    if (parts.length > 0) windows.push(parts.join('\n'));
    parts = [];
    tokens = 0;
  };
  for (const piece of piecesOf(tree)) {
    for (const part of fitting(piece, counter, maxTokens)) {
      // One token for the line break between pieces.
      const size = counter.count(part) + 1;
      if (tokens + size > maxTokens) close();
      parts.push(part);
      tokens += size;
    }
  }
  close();
  return windows.length === 0 ? [''] : windows;
}

function* piecesOf(tree: DocumentTree): Generator<string> {
  let page: number | undefined;
  for (const block of walkBlocks(tree.blocks)) {
    const text = ownText(block).replaceAll('\t', ' | ');
    if (text.trim() === '') continue;
    if (block.page !== undefined && block.page !== page) yield `[page ${block.page}]`;
    page = block.page ?? page;
    yield block.type === 'heading' ? `${'#'.repeat(block.level ?? 1)} ${text}` : text;
  }
}

/** Splits a block that exceeds a window into halves until its parts fit. */
function* fitting(text: string, counter: TokenCounter, maxTokens: number): Generator<string> {
  const open = [text];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (next.length < 200 || counter.count(next) < maxTokens) {
      yield next;
      continue;
    }
    const middle = next.lastIndexOf(next.includes('\n') ? '\n' : ' ', Math.ceil(next.length / 2));
    const cut = middle > next.length / 4 ? middle + 1 : Math.ceil(next.length / 2);
    open.push(next.slice(cut), next.slice(0, cut));
  }
}
