import { memo } from 'react';
import type { Column } from './column.ts';

/** A click beside the controls of a row follows its link. */
function openRow(event: React.MouseEvent<HTMLElement>): void {
  const { target, currentTarget } = event;
  if (target instanceof Element && target.closest('a, button, input, label, [role=menuitem]') !== null) return;
  if (getSelection()?.isCollapsed === false) return;
  currentTarget.querySelector<HTMLElement>('[data-open]')?.click();
}

interface RowProps {
  id: string;
  /** Name for the checkbox. */
  name: string;
  index: number;
  row: unknown;
  columns: readonly Column<unknown>[];
  /** Undefined in a table without a selection. */
  isSelected: boolean | undefined;
  onToggle: (id: string) => void;
}

/** Draws a row again only when it changed: a key press moves or selects one of up to 70 rows. */
export const Row = memo(function Row({
  id,
  name,
  index,
  row,
  columns,
  isSelected,
  onToggle,
}: RowProps): React.ReactElement {
  return (
    <tr
      data-index={index}
      aria-rowindex={index + 2}
      aria-selected={isSelected}
      onClick={openRow}
      className="h-[37px] border-b border-line hover:bg-hover has-[[data-open]:focus-visible]:bg-accent-soft aria-selected:bg-accent-soft"
    >
      {isSelected !== undefined && (
        <td className="w-9 pl-2.5">
          <input type="checkbox" aria-label={`Select ${name}`} checked={isSelected} onChange={() => onToggle(id)} />
        </td>
      )}
      {columns.map(({ id: column, align, isWide = false, cell }) => (
        <td
          key={column}
          className={`truncate px-2.5 ${align === 'right' ? 'text-right tabular-nums' : ''} ${isWide ? 'max-md:hidden' : ''}`}
        >
          {cell(row)}
        </td>
      ))}
    </tr>
  );
});
