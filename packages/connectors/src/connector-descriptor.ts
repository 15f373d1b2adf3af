/** Describes a kind of connector: its configuration, its secrets and its factory. */
import type { z } from 'zod';
import type { Connector, ConnectorContext } from './connector.ts';

/** The kinds of the API, in its order. */
export const CONNECTOR_KINDS = ['object_storage', 'web', 'cloud_drive', 'ftp'] as const;

export type ConnectorKind = (typeof CONNECTOR_KINDS)[number];

type FieldOf<Config> = Config extends unknown ? Extract<keyof Config, string> : never;

interface KindDefinition<Config extends object> {
  kind: ConnectorKind;
  /** Validates the configuration and sets defaults. */
  config: z.ZodType<Config>;
  /** Fields that are stored encrypted and never returned. */
  secretFields: readonly FieldOf<Config>[];
  /** Fields that name the server. A change of one requires the secret fields again. */
  originFields: readonly FieldOf<Config>[];
  /** Maximum number of files that are fetched at once. Default 4. */
  fetchConcurrency?: number;
  open(config: Config, context: ConnectorContext): Connector;
}

export interface ConnectorDescriptor {
  readonly kind: ConnectorKind;
  readonly config: z.ZodType<object>;
  readonly secretFields: readonly string[];
  readonly originFields: readonly string[];
  readonly fetchConcurrency?: number;
  /** Validates the configuration and opens the connector. Throws a `ZodError` for an invalid configuration. */
  open(config: unknown, context: ConnectorContext): Connector;
}

/** Returns a descriptor without the type of its configuration, so that one record can hold all kinds. */
export function describeKind<Config extends object>(definition: KindDefinition<Config>): ConnectorDescriptor {
  return { ...definition, open: (config, context) => definition.open(definition.config.parse(config), context) };
}
