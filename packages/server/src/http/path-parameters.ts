/** Path parameters that identify a record. A new one of `Records` does not compile until it is listed here. */
import type { Records } from './route.ts';

interface PathParameter {
  /** Name of the resource in the description of the API. */
  noun: string;
  /** Type of the resource in the audit log; null for a record that no call changes by itself. */
  auditType: string | null;
}

const BY_NAME: Readonly<Record<keyof Records | 'ws' | 'chunk_id', PathParameter>> = {
  ws: { noun: 'workspace', auditType: 'workspace' },
  col: { noun: 'collection', auditType: 'collection' },
  doc_id: { noun: 'document', auditType: 'document' },
  chunk_id: { noun: 'chunk', auditType: null },
  key_id: { noun: 'API key', auditType: 'key' },
  model_id: { noun: 'model', auditType: 'configuration' },
  embedder_id: { noun: 'embedder', auditType: 'configuration' },
  parser_id: { noun: 'parser', auditType: 'configuration' },
  chat_id: { noun: 'chat', auditType: 'chat' },
  message_id: { noun: 'message', auditType: 'message' },
  run_id: { noun: 'run', auditType: 'run' },
  webhook_id: { noun: 'webhook', auditType: 'webhook' },
  connector_id: { noun: 'connector', auditType: 'connector' },
  sync_id: { noun: 'synchronisation', auditType: 'sync' },
  delivery_id: { noun: 'delivery', auditType: 'delivery' },
};

/** Returns the parameter of that name; undefined for one that identifies no record, such as `page`. */
export const pathParameter = (name: string): PathParameter | undefined =>
  Object.hasOwn(BY_NAME, name) ? BY_NAME[name as keyof typeof BY_NAME] : undefined;
