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
import { Row } from './row.tsx';
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

export function DataTable<T>(props: DataTableProps<T>): React.ReactElement {
  const { list, label, columns, empty, isFull = false, selection } = props;
  const { rows, total, error, isLoading, isOld, hasMore, retry, loadMore } = list;
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    overscan: 10,
    paddingStart: HEAD_PX,
    scrollPaddingStart: HEAD_PX,
    enabled: isFull,
  });
  const visible = isFull ? virtual.getVirtualItems().map(({ index }) => index) : rows.map((_, index) => index);
  const first = visible[0] ?? 0;
  const last = visible.at(-1) ?? -1;
  const toggle = useToggle(selection);
  useRowKeys({
    label,
    count: rows.length,
    scroller,
    show: (index) => {
      if (!isFull) return false;
      const [offset] = virtual.getOffsetForIndex(index) ?? [];
      // The virtualiser follows a scroll for several frames, even to where it is.
      if (offset !== virtual.scrollOffset) virtual.scrollToIndex(index);
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
