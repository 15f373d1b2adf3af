import { describe, expect, it } from 'vitest';
import { SheetGrid } from './sheet-grid.ts';

describe('SheetGrid', () => {
  it('orders drawings among the tables by their position, and those without one last', () => {
    const grid = new SheetGrid();
    grid.add(0, 0, 'first');
    grid.add(9, 0, 'second');
    grid.addSpacerRow(1);
    const figure = (text: string) => [{ type: 'figure' as const, text }];
    const blocks = grid.content(1, [
      { blocks: figure('anywhere') },
      { row: 10, column: 0, blocks: figure('below') },
      { row: 9, column: 4, blocks: figure('beside') },
      { row: 3, column: 0, blocks: figure('between') },
    ]);
    expect(blocks.map((block) => block.text ?? block.rows?.[0]?.[0]?.text)).toEqual([
      'first',
      'between',
      'second',
      'beside',
      'below',
      'anywhere',
    ]);
  });
});
