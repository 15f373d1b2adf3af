/**
 * The settings that configurations of providers are made of, with their validation. Each descriptor picks from them.
 */

export type SettingSpec = { description: string } & (
  | { type: 'text'; minLength?: number; maxLength?: number; pattern?: RegExp }
  /** Visible ASCII characters, kept encrypted and answered masked. */
  | { type: 'key'; maxLength: number }
  /** An http or https URL without credentials, query and fragment. */
  | { type: 'baseUrl' }
  | { type: 'integer' | 'number'; minimum: number; maximum: number }
  | { type: 'choice'; values: readonly string[] }
  | { type: 'list'; pattern: RegExp; maxItems: number }
  | { type: 'flag' }
);

/** The order is that of errors and of responses. */
export const PROVIDER_SETTINGS = {
  model: { type: 'text', minLength: 1, maxLength: 500, description: "The provider's name of the model" },
  apiKey: { type: 'key', maxLength: 4096, description: 'Key of the provider; responses mask it' },
  baseUrl: { type: 'baseUrl', description: "URL to which the provider's paths are appended" },
  dimensions: { type: 'integer', minimum: 1, maximum: 16_384, description: 'Length of the vectors' },
  temperature: { type: 'number', minimum: 0, maximum: 2, description: 'Sampling temperature' },
  maxOutputTokens: {
    type: 'integer',
    minimum: 1,
    maximum: 1_000_000,
    description: 'Maximum number of tokens in one answer',
  },
  contextTokens: {
    type: 'integer',
    minimum: 512,
    maximum: 10_000_000,
    description: 'Context window of the model in tokens; default: that of a known model, otherwise 8192',
  },
  maxConcurrency: {
    type: 'integer',
    minimum: 1,
    maximum: 1000,
    description: 'Maximum number of concurrent requests to the provider',
  },
  requestsPerMinute: {
    type: 'integer',
    minimum: 1,
    maximum: 1_000_000,
    description: 'Maximum number of requests to the provider in a minute',
  },
  language: { type: 'text', pattern: /^[a-z]{2,3}$/, description: 'Language of the texts (ISO 639)' },
  ocr: { type: 'choice', values: ['auto', 'always', 'never'], description: 'When pages are read by OCR' },
  languages: {
    type: 'list',
    pattern: /^[A-Za-z]{2,3}(_[A-Za-z]{1,12})*$/,
    maxItems: 20,
    description: 'Languages that OCR expects (codes of Tesseract)',
  },
  jpegQuality: { type: 'integer', minimum: 1, maximum: 100, description: 'Quality of page images sent to a provider' },
  maxPixels: {
    type: 'integer',
    minimum: 10_000,
    maximum: 1_000_000_000,
    description: 'Maximum number of pixels of a page image',
  },
  removeBoilerplate: { type: 'flag', description: 'Whether navigation and footers of web pages are left out' },
} as const satisfies Record<string, SettingSpec>;

export type SettingName = keyof typeof PROVIDER_SETTINGS;

type SettingValue<Spec extends SettingSpec> = Spec extends { type: 'text' | 'key' | 'baseUrl' }
  ? string
  : Spec extends { type: 'integer' | 'number' }
    ? number
    : Spec extends { type: 'choice'; values: readonly (infer Value)[] }
      ? Value
      : Spec extends { type: 'list' }
        ? string[]
        : boolean;

export type ProviderSettings = {
  [Name in SettingName]?: SettingValue<(typeof PROVIDER_SETTINGS)[Name]> | undefined;
};

/** The key and the limits of calls: settings that an embedder may change without changing its vectors. */
const CALL_SETTINGS = ['apiKey', 'maxConcurrency', 'requestsPerMinute'] as const satisfies readonly SettingName[];

/** The settings that decide the vectors of an outside embedder. An index records all of them. */
export type VectorSettings = Omit<ProviderSettings, (typeof CALL_SETTINGS)[number]>;

/** Returns those settings that decide the vectors and have a value, in the order of `PROVIDER_SETTINGS`. */
export function vectorSettings(settings: ProviderSettings): VectorSettings {
  const left = new Set<string>(CALL_SETTINGS);
  const names = Object.keys(PROVIDER_SETTINGS) as SettingName[];
  const set = names.filter((name) => !left.has(name) && settings[name] !== undefined);
  return Object.fromEntries(set.map((name) => [name, settings[name]]));
}
