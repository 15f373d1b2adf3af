import type { ConnectorDescriptor } from '@quire/connectors/connector-descriptor';
import type { ConnectorCondition, ConnectorRecord, SyncRecord } from '../../database/tables.ts';

/** The kinds by name; null for a kind that this service does not have. */
export type ConnectorKinds = Readonly<Record<string, ConnectorDescriptor | null>>;

export const SYNC_STATUSES = ['running', 'done', 'done_with_errors', 'failed', 'cancelled', 'held'] as const;
export const ITEM_STATUSES = ['synced', 'failed', 'skipped', 'deleted'] as const;
export const CONNECTOR_STATUSES = ['idle', 'syncing', 'held', 'failing', 'needs_attention', 'paused'] as const;
export type ConnectorStatus = (typeof CONNECTOR_STATUSES)[number];

/** Returns the status that clients see. */
export function statusOf({ condition, paused }: Pick<ConnectorRecord, 'condition' | 'paused'>, isRunning: boolean) {
  const status: ConnectorStatus = paused ? 'paused' : condition;
  return isRunning ? 'syncing' : status;
}

export interface NewConnector {
  collectionId: string;
  name: string;
  kind: string;
  config: Record<string, unknown>;
  schedule?: string | undefined;
  deletions?: 'mirror' | 'keep' | undefined;
  maxDeletionShare?: number | undefined;
  include?: readonly string[] | undefined;
  exclude?: readonly string[] | undefined;
  maxFileBytes?: number | undefined;
  metadata?: Record<string, unknown> | undefined;
}

/** Fields of `config` that are null are removed. A schedule or maximum size of null is removed. */
export interface ConnectorChanges {
  name?: string | undefined;
  config?: Record<string, unknown> | undefined;
  schedule?: string | null | undefined;
  paused?: boolean | undefined;
  deletions?: 'mirror' | 'keep' | undefined;
  maxDeletionShare?: number | undefined;
  include?: readonly string[] | undefined;
  exclude?: readonly string[] | undefined;
  maxFileBytes?: number | null | undefined;
  metadata?: Record<string, unknown> | undefined;
}

export interface ItemCounts {
  synced: number;
  failed: number;
  skipped: number;
}

export interface ConnectorView {
  record: ConnectorRecord;
  status: ConnectorStatus;
  lastSync: SyncRecord | null;
  itemCounts: ItemCounts;
}

export interface ConnectorTest {
  ok: boolean;
  latencyMs: number;
  message: string;
  sample: string[];
}

export interface SyncRequest {
  trigger: 'manual' | 'schedule';
  dryRun: boolean;
  full: boolean;
}

/** How a synchronisation ends. */
export interface SyncEnd {
  status: Exclude<SyncRecord['status'], 'running'>;
  condition: ConnectorCondition;
  error: { type: string; message: string } | null;
}

export const syncJobKey = (syncId: string): string => `sync:${syncId}`;

/** Notification topic of a synchronisation: published when it ends or is taken from its worker. */
export const syncTopic = (syncId: string): string => `sync:${syncId}`;
