/** The settings of each provider, read from the service's own description of its API. */
import { queryOptions } from '@tanstack/react-query';
import type { WorkspaceContext } from './workspace.ts';

/** A value of a setting. */
export type Setting = string | number | boolean | readonly string[] | null | undefined;

interface JsonSchema {
  type?: string | readonly string[];
  const?: string;
  enum?: readonly string[];
  items?: JsonSchema;
  oneOf?: readonly JsonSchema[];
  properties?: Readonly<Record<string, JsonSchema>>;
  required?: readonly string[];
  minimum?: number;
  maximum?: number;
  description?: string;
  examples?: readonly Setting[];
  writeOnly?: boolean;
}

export interface ConfigField {
  name: string;
  label: string;
  /** `json`: a secret object, such as a key file. */
  kind: 'text' | 'secret' | 'url' | 'number' | 'flag' | 'list' | 'choice' | 'json';
  choices: readonly string[];
  isRequired: boolean;
  help: string | undefined;
  placeholder: string | undefined;
}

export interface ProviderFields {
  provider: string;
  fields: readonly ConfigField[];
}

interface Description {
  components: { schemas: Readonly<Record<string, JsonSchema>> };
}

export const descriptionQuery = ({ quire }: WorkspaceContext) =>
  queryOptions({
    queryKey: ['openapi'],
    staleTime: Infinity,
    queryFn: async ({ signal }) => (await quire.raw<Description>({ path: '/openapi.json', signal })).body,
  });

/** Returns the providers of a request such as `CreateModelRequest`, each with its settings. */
export function providersOf({ components }: Description, request: string): ProviderFields[] {
  const variants = components.schemas[request]?.properties?.['config']?.oneOf ?? [];
  return variants.flatMap(({ properties = {}, required = [] }) => {
    const provider = properties['provider']?.const;
    if (provider === undefined) return [];
    const fields = Object.entries(properties)
      .filter(([name]) => name !== 'provider')
      .map(([name, schema]) => fieldOf(name, schema, required.includes(name)));
    return [{ provider, fields: fields.toSorted((a, b) => Number(b.isRequired) - Number(a.isRequired)) }];
  });
}

function fieldOf(name: string, schema: JsonSchema, isRequired: boolean): ConfigField {
  const example = schema.examples?.[0];
  return {
    name,
    label: labelOf(name),
    kind: kindOf(name, schema),
    choices: schema.enum ?? [],
    isRequired,
    help: schema.description,
    placeholder: name === 'apiKey' ? undefined : textOf(example) || undefined,
  };
}

function kindOf(name: string, { type, enum: choices, writeOnly }: JsonSchema): ConfigField['kind'] {
  if (name === 'apiKey' || writeOnly === true) return 'secret';
  if (choices !== undefined) return 'choice';
  const types = [type].flat();
  if (types.includes('boolean')) return 'flag';
  if (types.includes('array')) return 'list';
  if (types.includes('integer') || types.includes('number')) return 'number';
  return name.endsWith('Url') ? 'url' : 'text';
}

/** Returns “Max output tokens” for `maxOutputTokens`. */
function labelOf(name: string): string {
  const words = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  const label = words.charAt(0).toUpperCase() + words.slice(1);
  return label.replace(/\b(api|url|ocr|jpeg)\b/gi, (word) => word.toUpperCase());
}

/** Returns a value as a text field holds it. */
export const textOf = (value: Setting): string => [value ?? ''].flat().join(', ');
