/**
 * The table of the console. Rows are drawn only near the visible part once there are many; more are read as the end
 * comes near. Keys: j k ↑ ↓ move, Enter opens (the row's link has the focus), x selects.
 */
import { useVirtualizer } from '@tanstack/react-virtual';
import { memo, useCallback, useEffect, useRef, useState } from 'react';
import type { ListState } from '../data/list.ts';
import { useKeys } from '../shell/keys.ts';
import { Button } from './button.tsx';
import { ErrorBox } from './error-box.tsx';
import { formatCount } from './format.ts';
import { Skeleton } from './page.tsx';

export interface Column<T> {
  id: string;
  header: React.ReactNode;
  /** Width in CSS, such as `9rem`; the columns without one share the rest. */
  width?: string;
  align?: 'right';
  /** Whether phones leave the column out. */
  isWide?: boolean;
  cell: (row: T) => React.ReactNode;
}

export interface Selection {
  ids: ReadonlySet<string>;
  onChange: (ids: ReadonlySet<string>) => void;
}

interface DataTableProps<T> {
  /** Name of the table for assistive technology, such as “Documents”. */
  label: string;
  columns: readonly Column<T>[];
  list: ListState<T>;
  rowId: (row: T) => string;
  /** Name of a row, for its checkbox. */
  rowName?: (row: T) => string;
  /** Content in place of the rows when the list is empty. */
  empty: React.ReactNode;
  selection?: Selection;
  /** Whether the table fills its parent and scrolls; needed for long lists. */
  isFull?: boolean;
}

const ROW_PX = 37;

export function DataTable<T>(props: DataTableProps<T>): React.ReactElement {
  const { list, label, columns, empty, isFull = false, selection } = props;
  const { rows, total, error, isLoading, isOld, hasMore, retry, loadMore } = list;
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    overscan: 12,
    enabled: isFull,
  });
  const visible = isFull ? virtual.getVirtualItems().map(({ index }) => index) : rows.map((_, index) => index);
  const first = visible[0] ?? 0;
  const last = visible.at(-1) ?? -1;
  const toggle = useToggle(selection);
  useRowKeys(props, scroller, (index) => isFull && virtual.scrollToIndex(index));
  useEffect(() => {
    if (isFull && last >= rows.length - 30) loadMore();
  });

  if (error !== null && rows.length === 0) return <ErrorBox error={error} onRetry={retry} className="m-4" />;
  if (isLoading) return <div className="p-4">{<Skeleton />}</div>;
  if (rows.length === 0) return <>{empty}</>;
  return (
    <div ref={scroller} className={isFull ? 'min-h-0 flex-1 overflow-auto' : ''}>
      {error !== null && <ErrorBox error={error} onRetry={retry} className="m-2" />}
      <table
        aria-label={label}
        aria-rowcount={(total ?? rows.length) + 1}
        aria-busy={isOld}
        className={`w-full table-fixed border-collapse ${isOld ? 'opacity-60' : ''}`}
      >
        <thead className="sticky top-0 z-10 bg-paper text-left text-sm text-muted">
          <tr aria-rowindex={1}>
            {selection !== undefined && <SelectAll rows={rows} rowId={props.rowId} selection={selection} />}
            {columns.map(({ id, header, width, align, isWide = false }) => (
              <th
                key={id}
                scope="col"
                style={{ width }}
                className={`border-b border-line px-2.5 py-1.5 font-medium ${align === 'right' ? 'text-right' : ''} ${isWide ? 'max-md:hidden' : ''}`}
              >
                {header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <Spacer height={first * ROW_PX} />
          {visible.map((index) => {
            const row = rows[index];
            if (row === undefined) return null;
            const id = props.rowId(row);
            return (
              <Row
                key={id}
                id={id}
                name={props.rowName?.(row) ?? 'row'}
                index={index}
                row={row}
                columns={columns as readonly Column<unknown>[]}
                isSelected={selection?.ids.has(id)}
                onToggle={toggle}
              />
            );
          })}
          <Spacer height={isFull ? Math.max(0, rows.length - last - 1) * ROW_PX : 0} />
        </tbody>
      </table>
      {hasMore && (
        <p className="flex items-center justify-center gap-3 p-3 text-muted">
          {formatCount(rows.length)} of {formatCount(total ?? rows.length)}
          {!isFull && <Button onClick={loadMore}>Show more</Button>}
        </p>
      )}
    </div>
  );
}

const Spacer = ({ height }: { height: number }): React.ReactNode =>
  height > 0 && (
    <tr aria-hidden="true">
      <td style={{ height }} />
    </tr>
  );

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
const Row = memo(function Row({ id, name, index, row, columns, isSelected, onToggle }: RowProps): React.ReactElement {
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

/** Returns a function that selects a row or not, and that stays the same while the selection changes. */
function useToggle(selection: Selection | undefined): (id: string) => void {
  const latest = useRef(selection);
  useEffect(() => {
    latest.current = selection;
  });
  return useCallback((id: string) => latest.current?.onChange(toggled(latest.current.ids, id)), []);
}

function SelectAll<T>({
  rows,
  rowId,
  selection,
}: {
  rows: readonly T[];
  rowId: (row: T) => string;
  selection: Selection;
}): React.ReactElement {
  const all = rows.every((row) => selection.ids.has(rowId(row)));
  return (
    <th scope="col" className="w-9 border-b border-line pl-2.5">
      <input
        type="checkbox"
        aria-label="Select all loaded rows"
        checked={all}
        ref={(element) => {
          if (element !== null) element.indeterminate = !all && selection.ids.size > 0;
        }}
        onChange={() => selection.onChange(all ? new Set() : new Set(rows.map(rowId)))}
      />
    </th>
  );
}

const toggled = (ids: ReadonlySet<string>, id: string): ReadonlySet<string> => {
  const next = new Set(ids);
  if (!next.delete(id)) next.add(id);
  return next;
};

/** Moves the focus over the links of the rows. */
function useRowKeys<T>(
  { label, list, rowId, selection }: DataTableProps<T>,
  scroller: React.RefObject<HTMLDivElement | null>,
  show: (index: number) => void,
): void {
  const position = useRef(-1);
  /** Row that gets the focus once it is drawn. */
  const [wanted, setWanted] = useState<number | null>(null);
  const current = (): number => {
    const row = document.activeElement?.closest<HTMLElement>('tr[data-index]');
    return row === null || row === undefined || scroller.current?.contains(row) !== true
      ? position.current
      : Number(row.dataset['index']);
  };
  const focus = (index: number): boolean => {
    const link = scroller.current?.querySelector<HTMLElement>(`tr[data-index="${index}"] [data-open]`);
    link?.focus();
    return link !== null && link !== undefined;
  };
  useEffect(() => {
    if (wanted !== null && focus(wanted)) setWanted(null);
  });
  const move = (step: number): void => {
    const index = Math.max(0, Math.min(list.rows.length - 1, current() + step));
    position.current = index;
    show(index);
    if (!focus(index)) setWanted(index);
  };
  const select = (): void => {
    const row = list.rows[current()];
    if (selection !== undefined && row !== undefined) selection.onChange(toggled(selection.ids, rowId(row)));
  };
  useKeys(label, [
    { key: 'j', label: 'Next row', run: () => move(1) },
    { key: 'k', label: 'Previous row', run: () => move(-1) },
    { key: 'ArrowDown', label: 'Next row', run: () => move(1) },
    { key: 'ArrowUp', label: 'Previous row', run: () => move(-1) },
    ...(selection === undefined ? [] : [{ key: 'x', label: 'Select the row', run: select }]),
  ]);
}
