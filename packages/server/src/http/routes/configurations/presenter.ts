import { PROVIDER_SETTINGS, type SettingName } from '@quire/models/provider-settings';
import type { z } from 'zod';
import type { ConfigurationRecord } from '../../../domain/configurations/repository.ts';
import type { ProviderConfig } from '../../../domain/configurations/types.ts';
import { iso, isoOrNull } from '../../schemas/common.ts';
import type { configurationShape } from './schemas.ts';

type Shape = z.output<ReturnType<typeof configurationShape>>;

const SETTINGS = Object.keys(PROVIDER_SETTINGS) as SettingName[];

/** Returns the settings that are set. `apiKey` is masked in the record already. */
function presentConfig({ provider, ...settings }: ProviderConfig): Shape['config'] {
  return { provider, ...Object.fromEntries(SETTINGS.map((name) => [name, settings[name]])) };
}

export function presentConfiguration(record: ConfigurationRecord): Shape {
  return {
    id: record.id,
    workspaceId: record.workspace_id,
    name: record.name,
    config: presentConfig(record.config as unknown as ProviderConfig),
    isDefault: record.is_default && record.deleted_at === null,
    createdAt: iso(record.created_at),
    modifiedAt: iso(record.modified_at),
    deletedAt: isoOrNull(record.deleted_at),
  };
}
