import { memo } from 'react';
import type { Column } from './column.ts';

/** A click beside the controls of a row follows its link. */
function openRow(event: React.MouseEvent<HTMLElement>): void {
  const { target, currentTarget } = event;
  if (target instanceof Element && target.closest('a, button, input, label, [role=menuitem]') !== null) return;
  if (getSelection()?.isCollapsed === false) return;
  currentTarget.querySelector<HTMLElement>('[data-open]')?.click();
}

/** Classes of the rows: a grid with the tracks of `tracksOf`. */
export const ROW_GRID = 'grid grid-cols-[var(--narrow)] items-center border-b border-line md:grid-cols-[var(--wide)]';

/** Returns the widths of the columns, on phones and elsewhere, as properties that all rows inherit. */
export function tracksOf<T>(columns: readonly Column<T>[], isSelectable: boolean): React.CSSProperties {
  const tracks = (shown: readonly Column<T>[]): string =>
    [...(isSelectable ? ['2.25rem'] : []), ...shown.map(({ width = 'minmax(0, 1fr)' }) => width)].join(' ');
  const narrow = columns.filter(({ isWide = false }) => !isWide);
  return { '--wide': tracks(columns), '--narrow': tracks(narrow) } as React.CSSProperties;
}

export const cellClass = (align: Column<unknown>['align'], isWide: boolean): string =>
  `truncate px-2.5 ${align === 'right' ? 'text-right tabular-nums' : ''} ${isWide ? 'max-md:hidden' : ''}`;

interface RowProps {
  id: string;
  /** Name for the checkbox. */
  name: string;
  index: number;
  /** Distance from the first row in pixels; undefined if the row follows the one before it. */
  top: number | undefined;
  row: unknown;
  columns: readonly Column<unknown>[];
  /** Undefined in a table without a selection. */
  isSelected: boolean | undefined;
  onToggle: (id: string) => void;
}

/** Draws a row again only when it changed: a key press moves or selects one of up to 70 rows. */
export const Row = memo(function Row(props: RowProps): React.ReactElement {
  const { id, name, index, top, row, columns, isSelected, onToggle } = props;
  return (
    <tr
      role="row"
      data-index={index}
      aria-rowindex={index + 2}
      aria-selected={isSelected}
      onClick={openRow}
      style={{ top }}
      className={`${ROW_GRID} row h-[37px] contain-strict hover:bg-hover aria-selected:bg-accent-soft ${top === undefined ? '' : 'absolute inset-x-0'}`}
    >
      {isSelected !== undefined && (
        <td role="cell" className="flex pl-2.5">
          <input type="checkbox" aria-label={`Select ${name}`} checked={isSelected} onChange={() => onToggle(id)} />
        </td>
      )}
      {columns.map(({ id: column, align, isWide = false, cell }) => (
        <td key={column} role="cell" className={cellClass(align, isWide)}>
          {cell(row)}
        </td>
      ))}
    </tr>
  );
});
