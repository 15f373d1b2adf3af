/**
 * The credentials in the configuration of a connector. They are stored sealed, one by one; the stored and presented
 * configuration holds their masks.
 */
import type { ConnectorDescriptor } from '@quire/connectors/connector-descriptor';
import { apiError, ApiError, valueError } from '../../errors.ts';
import type { SecretBox } from '../../shared/secret-box.ts';
import { validate } from '../../validation/details.ts';
import { isMask, maskKey } from '../configurations/api-key.ts';

type Config = Record<string, unknown>;

/** Returns the place that a sealed credential is bound to. */
export const credentialPlace = (connectorId: string, field: string): string => `connectors/${connectorId}/${field}`;

export interface StoredConfig {
  config: Config;
  secrets: Record<string, string>;
}

const textOf = (secret: unknown): string => (typeof secret === 'string' ? secret : JSON.stringify(secret));

/** Masks each text in the credential: objects such as headers keep their names. */
function maskOf(secret: unknown): unknown {
  if (typeof secret === 'string') return maskKey(secret);
  if (typeof secret !== 'object' || secret === null) return secret;
  return Object.fromEntries(Object.keys(secret).map((name) => [name, maskKey(textOf(Reflect.get(secret, name)))]));
}

const isMasked = (secret: unknown): boolean =>
  typeof secret === 'string'
    ? isMask(secret)
    : typeof secret === 'object' && secret !== null && Object.values(secret).some((value) => isMasked(value));

const same = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** Throws 422 with all problems of the configuration. */
export function checkConfig(descriptor: ConnectorDescriptor, config: unknown): Config {
  const result = validate(descriptor.config, config, ['body', 'config']);
  if ('details' in result)
    throw new ApiError(
      422,
      result.details.map((detail) => withoutSecret(descriptor, detail)),
    );
  return result.value as Config;
}

function withoutSecret<T extends { loc: readonly (string | number)[]; input?: unknown }>(
  { secretFields }: ConnectorDescriptor,
  detail: T,
): T {
  if (!secretFields.includes(String(detail.loc[2] ?? ''))) {
    if (detail.loc.length > 2) return detail;
  }
  const { input: _secret, ...rest } = detail;
  return rest as T;
}

/** Returns a new configuration as it is stored. Throws 422 for a masked credential. */
export function sealConfig(
  box: SecretBox,
  descriptor: ConnectorDescriptor,
  connectorId: string,
  config: Config,
  kept: StoredConfig = { config: {}, secrets: {} },
): StoredConfig {
  const stored: StoredConfig = { config: { ...config }, secrets: {} };
  for (const field of descriptor.secretFields) {
    const secret = config[field];
    if (secret === undefined) continue;
    if (isMasked(secret)) {
      const sealed = kept.secrets[field];
      if (sealed === undefined || !same(secret, kept.config[field])) {
        throw valueError(['body', 'config', field], 'a masked credential is not a credential');
      }
      stored.secrets[field] = sealed;
      continue;
    }
    stored.secrets[field] = box.seal(JSON.stringify(secret), credentialPlace(connectorId, field));
    stored.config[field] = maskOf(secret);
  }
  return stored;
}

/** Returns the configuration with its credentials, for opening the connector. */
export function openConfig(box: SecretBox, connectorId: string, { config, secrets }: StoredConfig): Config {
  const opened = Object.entries(secrets).map(([field, sealed]) => [
    field,
    JSON.parse(box.open(sealed, credentialPlace(connectorId, field))) as unknown,
  ]);
  return { ...config, ...Object.fromEntries(opened) };
}

/**
 * Merges changes into a stored configuration: null removes a field, a mask keeps the stored credential. A change of a
 * field that names the server needs every stored credential again, because it would be sent elsewhere otherwise.
 */
export function mergeConfig(
  box: SecretBox,
  descriptor: ConnectorDescriptor,
  connectorId: string,
  stored: StoredConfig,
  changes: Config,
): StoredConfig {
  const merged = Object.entries({ ...stored.config, ...changes }).filter(([, value]) => value !== null);
  const config = Object.fromEntries(merged);
  const moved = descriptor.originFields.filter((field) => !same(config[field], stored.config[field]));
  if (moved.length > 0) {
    const kept = Object.keys(stored.secrets).filter((field) => config[field] !== undefined && isMasked(config[field]));
    const [first] = kept;
    if (first !== undefined) {
      throw valueError(['body', 'config', first], `a change of ${moved.join(', ')} needs the credentials again`);
    }
  }
  // The schema sees the credentials, because a mask may not have their form.
  const opened = openConfig(box, connectorId, stored);
  const complete = merged.map(([field, value]) => [field, isMasked(value) ? (opened[field] ?? value) : value]);
  const checked = checkConfig(descriptor, Object.fromEntries(complete));
  const resealed = Object.entries(checked).map(([field, value]) => [
    field,
    isMasked(config[field]) ? config[field] : value,
  ]);
  return sealConfig(box, descriptor, connectorId, Object.fromEntries(resealed), stored);
}

/** Returns the descriptor of a kind. Throws 422 for a kind that this service does not have. */
export function requireKind(
  kinds: Readonly<Record<string, ConnectorDescriptor | null>>,
  kind: string,
): ConnectorDescriptor {
  const descriptor = Object.hasOwn(kinds, kind) ? kinds[kind] : undefined;
  if (descriptor === undefined || descriptor === null) {
    throw apiError(422, 'value_error', `Value error, connectors of kind '${kind}' are not available`, {
      loc: ['body', 'kind'],
      ctx: { error: `connectors of kind '${kind}' are not available` },
      input: kind,
    });
  }
  return descriptor;
}
