/** The selection of rows of a table: their checkboxes and the key x change it. */
import { useCallback, useEffect, useRef } from 'react';

export interface Selection {
  ids: ReadonlySet<string>;
  onChange: (ids: ReadonlySet<string>) => void;
}

const toggled = (ids: ReadonlySet<string>, id: string): ReadonlySet<string> => {
  const next = new Set(ids);
  if (!next.delete(id)) next.add(id);
  return next;
};

/** Returns a function that selects a row or not, and that stays the same while the selection changes. */
export function useToggle(selection: Selection | undefined): (id: string) => void {
  const latest = useRef(selection);
  useEffect(() => {
    latest.current = selection;
  });
  return useCallback((id: string) => latest.current?.onChange(toggled(latest.current.ids, id)), []);
}

export function SelectAll<T>({
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
    <th role="columnheader" scope="col" className="flex pl-2.5">
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
