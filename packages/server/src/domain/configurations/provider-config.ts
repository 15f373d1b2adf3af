/** The schemas and the check of a configuration's settings, derived from the descriptors of the providers. */
import { z } from 'zod';
import { PROVIDER_SETTINGS, type SettingName, type SettingSpec } from '@quire/models/provider-settings';
import { PROVIDERS, providersOf, type ProviderName } from '@quire/models/providers/registry';
import { withoutAbsent } from '@quire/shared/without-absent';
import type { ConfigurationKind } from '../../database/tables.ts';
import { ApiError } from '../../errors.ts';
import type { ProviderConfig } from './types.ts';
import { validate } from '../../validation/details.ts';
import { choice, field, flag, integer, number, optional, text, type Field } from '../../validation/fields.ts';
import { MISSING, valueProblem, type Parsed } from '../../validation/problem.ts';
import { parseText } from '../../validation/text.ts';
import { parseUrl } from '../../validation/url.ts';

/** Characters that a header can carry, or the mask that responses contain. */
const KEY = /^(?:[\x21-\x7e]+|••••[\x21-\x7e]{0,4})$/;

function parseKey(value: unknown, maxLength: number): Parsed<string> {
  const parsed = parseText(value, { min: 1, max: maxLength });
  if ('problem' in parsed || KEY.test(parsed.value)) return parsed;
  return valueProblem('an API key is visible ASCII characters without spaces');
}

/** Parses the URL to which a provider's paths are appended: it has nothing after its path, and no credentials. */
function parseBaseUrl(value: unknown): Parsed<string> {
  const parsed = parseUrl(value, ['http', 'https']);
  if ('problem' in parsed) return parsed;
  const { username, password, search, hash } = new URL(parsed.value);
  if (username !== '' || password !== '') return valueProblem('credentials in URLs are not allowed');
  if (search !== '' || hash !== '') return valueProblem('a base URL has neither query nor fragment');
  return parsed;
}

const NAMES = Object.keys(PROVIDER_SETTINGS) as SettingName[];

/** Returns the field of a request that takes a setting. */
function settingField(spec: SettingSpec): z.ZodType {
  switch (spec.type) {
    case 'text':
      return text(withoutAbsent({ min: spec.minLength, max: spec.maxLength, pattern: spec.pattern }));
    case 'key':
      return field((value) => parseKey(value, spec.maxLength), {
        type: 'string',
        minLength: 1,
        maxLength: spec.maxLength,
      });
    case 'baseUrl':
      return field(parseBaseUrl, { type: 'string', format: 'uri' });
    case 'integer':
      return integer({ ge: spec.minimum, le: spec.maximum });
    case 'number':
      return number({ ge: spec.minimum, le: spec.maximum });
    case 'choice':
      return choice(...spec.values);
    case 'list':
      return z.array(text({ pattern: spec.pattern })).max(spec.maxItems);
    case 'flag':
      return flag();
  }
}

/** Returns the shape of a setting in a response. */
function settingShape(spec: SettingSpec): z.ZodType {
  switch (spec.type) {
    case 'integer':
      return z.int();
    case 'number':
      return z.number();
    case 'choice':
      return z.enum(spec.values);
    case 'list':
      return z.array(z.string());
    case 'flag':
      return z.boolean();
    case 'text':
    case 'key':
    case 'baseUrl':
      return z.string();
  }
}

const mapSettings = <T>(map: (spec: SettingSpec) => T): Record<SettingName, T> =>
  Object.fromEntries(NAMES.map((name) => [name, map(PROVIDER_SETTINGS[name])])) as Record<SettingName, T>;

const FIELDS = mapSettings(settingField);
const SHAPES = mapSettings((spec) => settingShape(spec).describe(spec.description).optional());

const settingsOf = (kind: ConfigurationKind, provider: ProviderName) =>
  PROVIDERS[provider][kind] ?? { required: [], optional: [] };

const pick = (names: readonly SettingName[], wrap: (name: SettingName) => z.ZodType): Record<string, z.ZodType> =>
  Object.fromEntries(NAMES.filter((name) => names.includes(name)).map((name) => [name, wrap(name)]));

const lacksKeyAndBaseUrl = (config: unknown): boolean => {
  const { apiKey, baseUrl } = config as Partial<Record<string, unknown>>;
  return (apiKey ?? null) === null && (baseUrl ?? null) === null;
};

function providerSchema(kind: ConfigurationKind, provider: ProviderName) {
  const { required, optional: others } = settingsOf(kind, provider);
  const shape = pick([...required, ...others], (name) =>
    required.includes(name) ? FIELDS[name] : optional(FIELDS[name] as Field<unknown>),
  );
  return z.strictObject({ provider: z.literal(provider), ...shape }).superRefine(
    (config, context) => {
      if (PROVIDERS[provider].needsKeyOrBaseUrl !== true || !lacksKeyAndBaseUrl(config)) return;
      context.addIssue({ code: 'custom', path: ['apiKey'], message: MISSING.msg, params: { problem: MISSING } });
    },
    { when: ({ value }) => typeof value === 'object' && value !== null },
  );
}

/** Returns the schema of the `config` of a new configuration. */
export function configSchema(kind: ConfigurationKind): z.ZodType<ProviderConfig> {
  const [first, ...others] = providersOf(kind);
  const rest = others.map((provider) => providerSchema(kind, provider));
  return z.discriminatedUnion('provider', [providerSchema(kind, first), ...rest]) as z.ZodType<ProviderConfig>;
}

/**
 * Returns the schema of the `config` of a PATCH: any setting of the kind's providers, or null to remove it. The merged
 * configuration is checked later.
 */
export function configChangesSchema(kind: ConfigurationKind): z.ZodType<Partial<ProviderConfig>> {
  const providers = providersOf(kind);
  const names = providers.flatMap((provider) => {
    const { required, optional: others } = settingsOf(kind, provider);
    return [...required, ...others];
  });
  const shape = pick(names, (name) => FIELDS[name].nullish());
  return z.strictObject({ provider: optional(choice(...providers)), ...shape }) as unknown as z.ZodType<
    Partial<ProviderConfig>
  >;
}

/** Returns the shape of the `config` in a response. */
export const configShape = (kind: ConfigurationKind) => z.object({ provider: z.enum(providersOf(kind)), ...SHAPES });

const SCHEMAS = {
  models: configSchema('models'),
  embedders: configSchema('embedders'),
  parsers: configSchema('parsers'),
};

/** Returns the config with the settings of its provider; throws 422 with all problems. */
export function checkConfig(kind: ConfigurationKind, config: Record<string, unknown>): ProviderConfig {
  const result = validate(SCHEMAS[kind], config, ['body', 'config']);
  if ('details' in result) throw new ApiError(422, result.details);
  return result.value;
}
