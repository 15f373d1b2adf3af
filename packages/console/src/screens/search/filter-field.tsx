/** The filter as JSON, with a row that writes conditions into it. */
import { useState } from 'react';
import { Button } from '../../components/controls/button.tsx';
import { FaultText, faultProps } from '../../components/forms/fault-text.tsx';

interface FilterFieldProps {
  filter: string | undefined;
  min: number | undefined;
  limit: number | undefined;
  /** Why the service refused the filter. */
  fault: string | undefined;
  onChange: (change: { filter?: string | undefined; min?: number | undefined; limit?: number | undefined }) => void;
}

const FIELDS = ['name', 'contentType', 'language', 'createdAt', 'pageCount', 'sizeBytes', 'metadata.'];
const OPERATORS = ['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'in', 'exists'];

/** Returns the value as JSON would have it; other text is a string. */
function valueOf(operator: string, text: string): unknown {
  const parts = operator === 'in' ? text.split(',').map((each) => each.trim()) : [text.trim()];
  const values = parts.map((part): unknown => {
    try {
      return JSON.parse(part);
    } catch {
      return part;
    }
  });
  return operator === 'in' ? values : values[0];
}

/** Returns the filter with one more condition that must hold too. */
export function withCondition(filter: string | undefined, field: string, operator: string, text: string): string {
  const condition = { [field]: { [operator]: valueOf(operator, text) } };
  let before: unknown;
  try {
    before = filter === undefined ? undefined : JSON.parse(filter);
  } catch {
    // Text that is no JSON is replaced.
  }
  if (typeof before !== 'object' || before === null) return JSON.stringify(condition);
  const { and } = before as { and?: unknown };
  const isList = Array.isArray(and) && Object.keys(before).length === 1;
  return JSON.stringify({ and: isList ? [...(and as unknown[]), condition] : [before, condition] });
}

export function FilterField({ filter, min, limit, fault, onChange }: FilterFieldProps): React.ReactElement {
  const [field, setField] = useState('metadata.');
  const [operator, setOperator] = useState('eq');
  const [value, setValue] = useState('');
  const add = (): void => {
    onChange({ filter: withCondition(filter, field.trim(), operator, value) });
    setValue('');
  };
  return (
    <details open={filter !== undefined || min !== undefined || limit !== undefined}>
      <summary className="text-sm text-muted">Filter and limits</summary>
      <div className="mt-2 space-y-2 border-l-2 border-line pl-4">
        <div className="flex flex-wrap items-center gap-2">
          <input
            list="filter-fields"
            aria-label="Field"
            value={field}
            onChange={({ target }) => setField(target.value)}
            className="input w-44 font-mono text-sm"
          />
          <datalist id="filter-fields">
            {FIELDS.map((each) => (
              <option key={each} value={each} />
            ))}
          </datalist>
          <select
            aria-label="Comparison"
            value={operator}
            onChange={({ target }) => setOperator(target.value)}
            className="input text-sm"
          >
            {OPERATORS.map((each) => (
              <option key={each}>{each}</option>
            ))}
          </select>
          <input
            aria-label="Value"
            placeholder="value"
            value={value}
            onChange={({ target }) => setValue(target.value)}
            className="input w-44 font-mono text-sm"
          />
          <Button icon="plus" onClick={add}>
            Add the condition
          </Button>
        </div>
        <textarea
          key={filter}
          rows={2}
          spellCheck={false}
          name="filter"
          aria-label="Filter as JSON"
          {...faultProps({ id: 'filter-fault', fault })}
          placeholder='{"metadata.year": {"gte": 2025}}'
          defaultValue={filter ?? ''}
          onBlur={({ target }) => onChange({ filter: target.value.trim() || undefined })}
          className="input w-full font-mono text-sm"
        />
        <FaultText id="filter-fault" fault={fault} />
        <div className="flex flex-wrap gap-4 text-sm text-muted">
          <label className="flex items-center gap-1.5">
            least relevance
            <input
              type="number"
              min={0}
              max={1}
              step={0.05}
              defaultValue={min ?? ''}
              className="input w-20"
              onBlur={({ target }) => onChange({ min: target.value === '' ? undefined : Number(target.value) })}
            />
          </label>
          <label className="flex items-center gap-1.5">
            hits
            <input
              type="number"
              min={1}
              max={100}
              defaultValue={limit ?? ''}
              placeholder="10"
              className="input w-20"
              onBlur={({ target }) => onChange({ limit: target.value === '' ? undefined : Number(target.value) })}
            />
          </label>
        </div>
      </div>
    </details>
  );
}
