import type { Collection } from '@quire/client';
import { CollectionOptions } from '../../components/collection-options.tsx';
import type { Settings } from './request.ts';

interface SettingsRowProps {
  label: string;
  collections: readonly Collection[];
  settings: Settings;
  onChange: (settings: Settings) => void;
}

const MODES = [
  { value: 'hybrid', label: 'Words and meaning' },
  { value: 'sparse', label: 'Words only' },
  { value: 'dense', label: 'Meaning only' },
] as const;

/** On phones each choice has a line of its own. */
const CHOICE = 'flex items-center gap-1.5 max-md:basis-full';

export function SettingsRow({ label, collections, settings, onChange }: SettingsRowProps): React.ReactElement {
  const { collectionId, mode, fusion, dense } = settings;
  const isHybrid = mode === undefined || mode === 'hybrid';
  return (
    <fieldset className="flex flex-wrap items-center gap-x-4 gap-y-1.5">
      <legend className="float-left w-16 py-1 text-sm font-medium text-muted max-md:float-none">{label}</legend>
      <label className={CHOICE}>
        <span className="text-sm text-muted max-md:w-12">in</span>
        <select
          className="input max-w-56 text-sm max-md:max-w-none max-md:flex-1"
          value={collectionId ?? ''}
          onChange={({ target }) => onChange({ ...settings, collectionId: target.value || undefined })}
        >
          <option value="">all collections</option>
          <CollectionOptions collections={collections} />
        </select>
      </label>
      <label className={CHOICE}>
        <span className="text-sm text-muted max-md:w-12">by</span>
        <select
          className="input text-sm max-md:flex-1"
          value={mode ?? ''}
          onChange={({ target }) => onChange({ ...settings, mode: (target.value || undefined) as Settings['mode'] })}
        >
          <option value="">the default</option>
          {MODES.map(({ value, label: text }) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </select>
      </label>
      {isHybrid && (
        <>
          <label className={CHOICE}>
            <span className="text-sm text-muted max-md:w-12">fusion</span>
            <select
              className="input text-sm max-md:flex-1"
              value={fusion ?? ''}
              onChange={({ target }) =>
                onChange({ ...settings, fusion: (target.value || undefined) as Settings['fusion'] })
              }
            >
              <option value="">default</option>
              <option value="rrf">by rank (rrf)</option>
              <option value="minmax">by score (minmax)</option>
            </select>
          </label>
          <label className={CHOICE}>
            <span className="text-sm text-muted max-md:w-12">words</span>
            <input
              type="range"
              min={0}
              max={1}
              step={0.1}
              value={dense ?? 0.5}
              aria-label="Weight of the meaning"
              aria-valuetext={dense === undefined ? 'default' : `${dense}`}
              className="w-24 accent-accent"
              onChange={({ target }) => onChange({ ...settings, dense: Number(target.value) })}
            />
            <span className="text-sm text-muted">meaning {dense === undefined ? '(default)' : dense}</span>
          </label>
        </>
      )}
    </fieldset>
  );
}
