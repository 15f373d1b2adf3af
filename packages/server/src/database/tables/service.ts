/** Tables of the service itself: its settings and its processes. */
import type { Generated } from 'kysely';
import type { Json, Timestamp } from './columns.ts';

export interface SettingsTable {
  name: string;
  value: Json<unknown>;
  modified_at: Timestamp;
}

export interface RateBudgetsTable {
  name: string;
  tokens: number;
  granted: number;
  refilled_at: Timestamp;
}

export interface CallSlotsTable {
  name: string;
  slot: number;
  token: string;
  expires_at: Timestamp;
}

export interface InstancesTable {
  id: string;
  role: string;
  hostname: string;
  pid: number;
  worker_pool_ids: Generated<string[]>;
  started_at: Timestamp;
  heartbeat_at: Timestamp;
  connections: number | null;
}
