/** Which settings each provider takes, as the contract's table has them; the order is that of errors and answers. */
import { z } from 'zod';
import type { ConfigurationKind } from '../../../database/tables.ts';
import { ApiError } from '../../../errors.ts';
import { PROVIDERS, type Provider, type ProviderConfig } from '../../../domain/configurations/types.ts';
import { validate } from '../../validation/details.ts';
import { choice, field, flag, integer, number, optional, text, type Field } from '../../validation/fields.ts';
import { MISSING, valueProblem, type Parsed } from '../../validation/problem.ts';
import { parseText } from '../../validation/text.ts';
import { parseUrl } from '../../validation/url.ts';

const MAX_KEY_LENGTH = 4096;
/** What a header can carry, or a mask as we answer it. */
const KEY = /^(?:[\x21-\x7e]+|••••[\x21-\x7e]{0,4})$/;

function parseKey(value: unknown): Parsed<string> {
  const parsed = parseText(value, { min: 1, max: MAX_KEY_LENGTH });
  if ('problem' in parsed || KEY.test(parsed.value)) return parsed;
  return valueProblem('an API key is visible ASCII characters without spaces');
}

/** Where the provider's paths are appended: a URL with nothing after its path and no credentials. */
function parseBaseUrl(value: unknown): Parsed<string> {
  const parsed = parseUrl(value, ['http', 'https']);
  if ('problem' in parsed) return parsed;
  const { username, password, search, hash } = new URL(parsed.value);
  if (username !== '' || password !== '') return valueProblem('credentials in URLs are not allowed');
  if (search !== '' || hash !== '') return valueProblem('a base URL has neither query nor fragment');
  return parsed;
}

const FIELDS = {
  model: text({ min: 1, max: 500 }),
  apiKey: field(parseKey, { type: 'string', minLength: 1, maxLength: MAX_KEY_LENGTH }),
  baseUrl: field(parseBaseUrl, { type: 'string', format: 'uri' }),
  dimensions: integer({ ge: 1, le: 16_384 }),
  temperature: number({ ge: 0, le: 2 }),
  maxOutputTokens: integer({ ge: 1, le: 1_000_000 }),
  maxConcurrency: integer({ ge: 1, le: 1000 }),
  requestsPerMinute: integer({ ge: 1, le: 1_000_000 }),
  language: text({ pattern: /^[a-z]{2,3}$/ }),
  ocr: choice('auto', 'always', 'never'),
  languages: z.array(text({ pattern: /^[A-Za-z]{2,3}(_[A-Za-z]{1,12})*$/ })).max(20),
  jpegQuality: integer({ ge: 1, le: 100 }),
  maxPixels: integer({ ge: 10_000, le: 1_000_000_000 }),
  removeBoilerplate: flag(),
};
type FieldName = keyof typeof FIELDS;

interface ProviderFields {
  required: readonly FieldName[];
  optional: readonly FieldName[];
}

const LIMITS = ['maxConcurrency', 'requestsPerMinute'] as const;
const SAMPLING = ['baseUrl', 'dimensions', 'temperature', 'maxOutputTokens', ...LIMITS] as const;
const PICTURES = ['jpegQuality', 'maxPixels'] as const;

const BY_PROVIDER: Record<Provider, ProviderFields> = {
  provider_a: { required: ['model'], optional: ['apiKey', ...SAMPLING] },
  provider_b: { required: ['model', 'apiKey'], optional: SAMPLING },
  provider_c: { required: ['apiKey'], optional: ['model', 'baseUrl', ...PICTURES, ...LIMITS] },
  local: { required: ['model'], optional: ['dimensions', 'maxOutputTokens'] },
  bm25: { required: [], optional: ['model', 'language'] },
  service: { required: [], optional: ['model', 'ocr', 'languages', ...PICTURES, 'removeBoilerplate'] },
};

const fieldsOf = (kind: ConfigurationKind, provider: Provider): ProviderFields => {
  const fields = BY_PROVIDER[provider];
  const reads = kind === 'parsers' && provider === 'provider_b';
  return reads ? { ...fields, optional: [...fields.optional, ...PICTURES] } : fields;
};

const NAMES = Object.keys(FIELDS) as FieldName[];

const pick = (names: readonly FieldName[], wrap: (name: FieldName) => z.ZodType): Record<string, z.ZodType> =>
  Object.fromEntries(NAMES.filter((name) => names.includes(name)).map((name) => [name, wrap(name)]));

/** An OpenAI-compatible server of one's own needs no key; without `baseUrl` it is OpenAI's. */
const needsKey = (config: unknown): boolean => {
  const { provider, apiKey, baseUrl } = config as Partial<Record<string, unknown>>;
  return provider === 'provider_a' && (apiKey ?? null) === null && (baseUrl ?? null) === null;
};

function providerSchema(kind: ConfigurationKind, provider: Provider) {
  const { required, optional: others } = fieldsOf(kind, provider);
  const shape = pick([...required, ...others], (name) =>
    required.includes(name) ? FIELDS[name] : optional(FIELDS[name] as Field<unknown>),
  );
  return z.strictObject({ provider: z.literal(provider), ...shape }).superRefine(
    (config, context) => {
      if (!needsKey(config)) return;
      context.addIssue({ code: 'custom', path: ['apiKey'], message: MISSING.msg, params: { problem: MISSING } });
    },
    { when: ({ value }) => typeof value === 'object' && value !== null },
  );
}

/** The `config` of a new configuration. */
export function configSchema(kind: ConfigurationKind): z.ZodType<ProviderConfig> {
  const [first, ...rest] = PROVIDERS[kind].map((provider) => providerSchema(kind, provider));
  if (first === undefined) throw new Error('every kind has providers');
  return z.discriminatedUnion('provider', [first, ...rest]) as z.ZodType<ProviderConfig>;
}

/** The `config` of a PATCH: any field of the kind's providers, null to remove it; the merged whole is checked later. */
export function configChangesSchema(kind: ConfigurationKind): z.ZodType<Partial<ProviderConfig>> {
  const providers: readonly Provider[] = PROVIDERS[kind];
  const names = providers.flatMap((provider) => {
    const { required, optional: others } = fieldsOf(kind, provider);
    return [...required, ...others];
  });
  const shape = pick(names, (name) => FIELDS[name].nullish());
  return z.strictObject({ provider: optional(choice(...providers)), ...shape }) as unknown as z.ZodType<
    Partial<ProviderConfig>
  >;
}

const SCHEMAS = {
  models: configSchema('models'),
  embedders: configSchema('embedders'),
  parsers: configSchema('parsers'),
};

/** The config as its provider takes it; throws 422 with all that is wrong. */
export function checkConfig(kind: ConfigurationKind, config: Record<string, unknown>): ProviderConfig {
  const result = validate(SCHEMAS[kind], config, ['body', 'config']);
  if ('details' in result) throw new ApiError(422, result.details);
  return result.value;
}
