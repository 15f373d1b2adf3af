/** All providers. A new one is added here, with its descriptor in a folder of its own. */
import type { ProviderDescriptor, ProviderKind } from '../provider-descriptor.ts';
import { bm25, local, service } from './built-in.ts';
import { gemini } from './gemini/descriptor.ts';
import { mistral } from './mistral/descriptor.ts';
import { openAiCompatible } from './openai-compatible/descriptor.ts';

/** Keyed by the name that the API uses. */
const DESCRIPTORS = {
  bm25,
  service,
  local,
  provider_a: openAiCompatible,
  provider_b: gemini,
  provider_c: mistral,
} satisfies Record<string, ProviderDescriptor>;

export type ProviderName = keyof typeof DESCRIPTORS;

export const PROVIDERS: Readonly<Record<ProviderName, ProviderDescriptor>> = DESCRIPTORS;

const NAMES = Object.keys(PROVIDERS) as ProviderName[];

/** Returns whether configurations of this kind and provider call a server outside of this service. */
export const isRemote = (kind: ProviderKind, provider: ProviderName): boolean =>
  PROVIDERS[provider][kind]?.adapter !== undefined;

/** Returns the providers of a kind, in the order in which errors name them: local language models come last. */
export function providersOf(kind: ProviderKind): [ProviderName, ...ProviderName[]] {
  const offered = NAMES.filter((name) => PROVIDERS[name][kind] !== undefined);
  const remote = offered.filter((name) => isRemote(kind, name));
  const builtIn = offered.filter((name) => !isRemote(kind, name));
  const [first, ...others] = kind === 'models' ? [...remote, ...builtIn] : [...builtIn, ...remote];
  if (first === undefined) throw new Error(`there is no provider of ${kind}`);
  return [first, ...others];
}
