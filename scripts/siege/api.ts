/** Calls of an attack that has a key. Each load prepares a workspace of its own. */
import type { SiegeTarget } from './load.ts';

export interface SiegeWorkspace {
  /** Path of the workspace and of its collection, below the address. */
  path: string;
  collection: string;
  /** Key with the permission `write`. */
  key: string;
}

export async function call(
  { url, key, signal }: Pick<SiegeTarget, 'url' | 'key' | 'signal'>,
  method: string,
  path: string,
  json?: unknown,
): Promise<{ status: number; data: unknown }> {
  const response = await fetch(`${url}${path}`, {
    method,
    signal,
    headers: { authorization: `Bearer ${key}` },
    ...(json === undefined ? {} : { body: JSON.stringify(json) }),
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json') === true;
  return { status: response.status, data: isJson ? (JSON.parse(text) as { data?: unknown }).data : undefined };
}

async function create<T>(target: SiegeTarget, path: string, json: unknown): Promise<T> {
  const { status, data } = await call(target, 'POST', path, json);
  if (data === undefined) throw new Error(`POST ${path}: ${status}`);
  return data as T;
}

export async function prepareWorkspace(target: SiegeTarget, name: string): Promise<SiegeWorkspace> {
  const { id } = await create<{ id: string }>(target, '/v1/workspaces', { name });
  const path = `/v1/w/${id}`;
  const [collection, key] = await Promise.all([
    create<{ id: string }>(target, `${path}/col`, { name }),
    create<{ key: string }>(target, `${path}/keys`, { name, permission: 'write' }),
  ]);
  return { path, collection: `${path}/col/${collection.id}`, key: key.key };
}
