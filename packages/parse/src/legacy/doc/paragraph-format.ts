import type { RowDefinition } from '../../office/build/edge-table.ts';
import type { Property } from './properties.ts';

/** The role of a paragraph in tables, lists and the outline, from its properties. */
export interface ParagraphFormat {
  inTable: boolean;
  /** Nesting of tables, from 1 inside a table. */
  tableDepth: number;
  /** True for the end mark of a table row, which has the row's definition. */
  endsRow: boolean;
  endsInnerCell: boolean;
  endsInnerRow: boolean;
  listId: number;
  listLevel: number;
  /** Outline level, 0 to 8 for headings and 9 for text; undefined if not set. */
  outline: number | undefined;
  row: RowDefinition | undefined;
}

const CELL_BYTES = 20;

export function paragraphFormat(properties: readonly Property[], modern: boolean): ParagraphFormat {
  const format: ParagraphFormat = {
    inTable: false,
    tableDepth: 0,
    endsRow: false,
    endsInnerCell: false,
    endsInnerRow: false,
    listId: 0,
    listLevel: 0,
    outline: undefined,
    row: undefined,
  };
  for (const property of properties) {
    if (modern) applyModern(format, property);
    else applyOld(format, property);
  }
  return format;
}

function applyModern(format: ParagraphFormat, { code, operand }: Property): void {
  switch (code) {
    case 0x2416:
      format.inTable = operand[0] === 1;
      break;
    case 0x2417:
      format.endsRow = operand[0] === 1;
      break;
    case 0x244b:
      format.endsInnerCell = operand[0] === 1;
      break;
    case 0x244c:
      format.endsInnerRow = operand[0] === 1;
      break;
    case 0x6649:
      format.tableDepth = operand.readInt32LE(0);
      break;
    case 0x460b:
      format.listId = operand.readUInt16LE(0);
      break;
    case 0x260a:
      format.listLevel = operand[0] ?? 0;
      break;
    case 0x2640:
      format.outline = operand[0];
      break;
    case 0xd608:
      format.row = readRow(operand);
      break;
    default:
  }
}

function applyOld(format: ParagraphFormat, { code, operand }: Property): void {
  if (code === 24) format.inTable = operand[0] === 1;
  else if (code === 25) format.endsRow = operand[0] === 1;
}

/** Reads `sprmTDefTable`: a count, one edge more than cells, then one structure per cell. */
function readRow(operand: Buffer): RowDefinition | undefined {
  const count = operand[0] ?? 0;
  const cellsAt = 1 + (count + 1) * 2;
  if (count === 0 || count > 64 || cellsAt > operand.length) return undefined;
  const edges = Array.from({ length: count + 1 }, (_, index) => operand.readInt16LE(1 + index * 2));
  const merges = Array.from({ length: count }, (_, index): RowDefinition['merges'][number] => {
    const position = cellsAt + index * CELL_BYTES;
    const flags = position + 2 <= operand.length ? operand.readUInt16LE(position) : 0;
    if ((flags & 0x0002) !== 0 && (flags & 0x0001) === 0) return 'continuesLeft';
    return (flags & 0x0020) !== 0 && (flags & 0x0040) === 0 ? 'continuesAbove' : 'none';
  });
  return { edges, merges };
}
