/**
 * The table of the console. Rows are drawn only near the visible part once there are many; more are read as the end
 * comes near. Keys: j k ↑ ↓ move, Enter opens (the row's link has the focus), x selects.
 */
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef } from 'react';
import type { ListState } from '../../data/list.ts';
import { Button } from '../controls/button.tsx';
import { ErrorBox } from '../states/error-box.tsx';
import { formatCount } from '../content/format.ts';
import { Skeleton } from '../page.tsx';
import type { Column } from './column.ts';
import { cellClass, Row, ROW_GRID, tracksOf } from './row.tsx';
import { useRowKeys } from './row-keys.ts';
import { SelectAll, useToggle, type Selection } from './selection.tsx';

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
/** Height of the head, which covers the top of the visible part. */
const HEAD_PX = 33;

/** Place of a row: its number, and in a long list its distance from the top in pixels, with the head. */
interface Place {
  index: number;
  start?: number;
}

export function DataTable<T>(props: DataTableProps<T>): React.ReactElement {
  const { list, label, columns, empty, isFull = false, selection } = props;
  const { rows, total, error, isLoading, isOld, hasMore, retry, loadMore } = list;
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    overscan: 5,
    paddingStart: HEAD_PX,
    scrollPaddingStart: HEAD_PX,
    enabled: isFull,
  });
  const visible: readonly Place[] = isFull ? virtual.getVirtualItems() : rows.map((_, index) => ({ index }));
  const last = visible.at(-1)?.index ?? -1;
  const toggle = useToggle(selection);
  useRowKeys({
    label,
    count: rows.length,
    scroller,
    show: (index) => {
      if (!isFull) return false;
      const shownPx = virtual.scrollRect?.height ?? 0;
      const at = virtual.scrollOffset ?? 0;
      // Computed here, because the virtualiser reads the layout for several frames after each of its own scrolls.
      const [highest, lowest] = [HEAD_PX + (index + 1) * ROW_PX - shownPx, index * ROW_PX];
      const offset = Math.min(lowest, Math.max(highest, at));
      if (offset !== at) scroller.current?.scrollTo({ top: offset });
      return true;
    },
    select:
      selection &&
      ((index) => {
        const row = rows[index];
        if (row !== undefined) toggle(props.rowId(row));
      }),
  });
  useEffect(() => {
    if (isFull && last >= rows.length - 30) loadMore();
  });

  if (error !== null && rows.length === 0) return <ErrorBox error={error} onRetry={retry} className="m-4" />;
  if (isLoading) return <div className="p-4">{<Skeleton />}</div>;
  if (rows.length === 0) return <>{empty}</>;
  return (
    <div ref={scroller} className={isFull ? 'min-h-0 flex-1 overflow-auto' : ''}>
      {error !== null && <ErrorBox error={error} onRetry={retry} className="m-2" />}
      {/* Rows are grids of their own, because each new row of a table layout lays out all others again. */}
      <table
        role="table"
        aria-label={label}
        aria-rowcount={(total ?? rows.length) + 1}
        aria-busy={isOld}
        className={`block w-full ${isOld ? 'opacity-60' : ''}`}
        style={tracksOf(columns, selection !== undefined)}
      >
        <thead role="rowgroup" className="sticky top-0 z-10 block bg-paper text-left text-sm text-muted">
          <tr role="row" aria-rowindex={1} className={`${ROW_GRID} h-[33px]`}>
            {selection !== undefined && <SelectAll rows={rows} rowId={props.rowId} selection={selection} />}
            {columns.map(({ id, header, align, isWide = false }) => (
              <th key={id} role="columnheader" scope="col" className={`font-medium ${cellClass(align, isWide)}`}>
                {header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody
          role="rowgroup"
          className="relative block"
          style={isFull ? { height: virtual.getTotalSize() - HEAD_PX } : undefined}
        >
          {visible.map(({ index, start }) => {
            const row = rows[index];
            if (row === undefined) return null;
            const id = props.rowId(row);
            return (
              <Row
                key={id}
                id={id}
                name={props.rowName?.(row) ?? 'row'}
                index={index}
                top={start === undefined ? undefined : start - HEAD_PX}
                row={row}
                columns={columns as readonly Column<unknown>[]}
                isSelected={selection?.ids.has(id)}
                onToggle={toggle}
              />
            );
          })}
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
