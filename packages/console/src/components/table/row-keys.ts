import { useEffect, useRef, useState } from 'react';
import { useKeys } from '../../shell/keys.ts';

interface RowKeys {
  /** Name of the table, the group of the keys in their list. */
  label: string;
  /** Number of rows that are loaded. */
  count: number;
  scroller: React.RefObject<HTMLElement | null>;
  /** Scrolls to a row. Returns false if the focus has to scroll, because all rows are drawn. */
  show: (index: number) => boolean;
  /** Selects a row or not; undefined in a table without a selection. */
  select: ((index: number) => void) | undefined;
}

/** Moves the focus over the links of the rows. */
export function useRowKeys({ label, count, scroller, show, select }: RowKeys): void {
  const position = useRef(-1);
  /** Row that gets the focus once it is drawn. */
  const [wanted, setWanted] = useState<number | null>(null);
  const current = (): number => {
    const row = document.activeElement?.closest<HTMLElement>('tr[data-index]');
    return row === null || row === undefined || scroller.current?.contains(row) !== true
      ? position.current
      : Number(row.dataset['index']);
  };
  const focus = (index: number, preventScroll: boolean): boolean => {
    const link = scroller.current?.querySelector<HTMLElement>(`tr[data-index="${index}"] [data-open]`);
    link?.focus({ preventScroll });
    return link !== null && link !== undefined;
  };
  useEffect(() => {
    if (wanted !== null && focus(wanted, true)) setWanted(null);
  });
  const move = (step: number): void => {
    const index = Math.max(0, Math.min(count - 1, current() + step));
    position.current = index;
    if (!focus(index, show(index))) setWanted(index);
  };
  useKeys(label, [
    { key: 'j', label: 'Next row', run: () => move(1) },
    { key: 'k', label: 'Previous row', run: () => move(-1) },
    { key: 'ArrowDown', label: 'Next row', run: () => move(1) },
    { key: 'ArrowUp', label: 'Previous row', run: () => move(-1) },
    ...(select === undefined ? [] : [{ key: 'x', label: 'Select the row', run: () => select(current()) }]),
  ]);
}
