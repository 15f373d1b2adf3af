import type { DocumentStage, DocumentStatus, RunStatus } from '../../database/tables.ts';
import type { ConnectorStatus } from '../connectors/types.ts';
import type { SyncView } from '../connectors/sync/sync-view.ts';
import type { Position } from './position.ts';

export interface DocumentState {
  status: DocumentStatus;
  stage: DocumentStage | null;
  progress: number;
  /** Time at which the document fails if it is still being processed; null while it is not processed. */
  deadlineAt: string | null;
  revision: number;
  /** The revision that searches return; null if there is none. */
  searchableRevision: number | null;
  errorType: string | null;
  deleted: boolean;
}

export interface RunState {
  status: RunStatus;
  progress: number;
  errorType: string | null;
}

export interface CollectionState {
  deleted: boolean;
  reindexing: boolean;
}

export interface ConnectorState {
  status: ConnectorStatus;
  deleted: boolean;
}

export interface SyncState extends Pick<
  SyncView,
  'connectorId' | 'trigger' | 'dryRun' | 'status' | 'phase' | 'counts' | 'progress'
> {
  errorType: string | null;
}

/** A resource with its state when the change was read; the state is null if the resource was erased. */
export type Change =
  | { kind: 'document'; id: string; collectionId: string; state: DocumentState | null }
  | { kind: 'run'; id: string; collectionId: null; state: RunState | null }
  | { kind: 'collection'; id: string; collectionId: string; state: CollectionState | null }
  | { kind: 'connector'; id: string; collectionId: null; state: ConnectorState | null }
  | { kind: 'sync'; id: string; collectionId: null; state: SyncState | null };

export interface PlacedChange {
  change: Change;
  /** The position after this change. */
  position: Position;
}

/** Some consecutive changes, at most one for each resource. */
export interface ChangePage {
  changes: readonly PlacedChange[];
  end: Position;
}
