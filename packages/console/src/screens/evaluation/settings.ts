import { oneOf } from '../../data/search-params.ts';
import type { Settings } from '../search/request.ts';

/** Settings of searches that are compared, by their name in the address. */
export const SETTINGS = [
  { value: 'hybrid', label: 'Words and meaning' },
  { value: 'rrf', label: 'Both, fused by rank' },
  { value: 'minmax', label: 'Both, fused by score' },
  { value: 'sparse', label: 'Words only' },
  { value: 'dense', label: 'Meaning only' },
] as const;

export type SettingsName = (typeof SETTINGS)[number]['value'];

export const settingsName = oneOf('hybrid', 'rrf', 'minmax', 'sparse', 'dense');

export const settingsOf = (name: SettingsName): Omit<Settings, 'collectionId'> =>
  name === 'rrf' || name === 'minmax'
    ? { mode: 'hybrid', fusion: name, dense: undefined }
    : { mode: name, fusion: undefined, dense: undefined };
