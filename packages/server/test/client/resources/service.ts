/** The service that the tests of this folder share, and clients that record which operations were answered. */
import { Quire } from '@quire/client';
import { afterAll, beforeAll } from 'vitest';
import { kindsWith, type ScriptedSource } from '../../connectors/scripted-source.ts';
import { createWorkspace } from '../../factories.ts';
import { ROOT_KEY, startTestService, type TestService } from '../../server.ts';
import { operationOf } from '../operations.ts';

/** Ids of the operations that answered with success. */
export const answered = new Set<string>();
/** Sources of connectors by their host. */
export const sources = new Map<string, ScriptedSource>();

export let url: string;
/** A client with an admin key of a workspace. */
export let quire: Quire;
/** A client with the root key. */
export let root: Quire;

let service: TestService;

beforeAll(async () => {
  const connectors = { kinds: kindsWith(sources), scheduleMs: 50, retryDelayMs: () => 1, sourceDelayMs: () => 1 };
  service = await startTestService({ QUIRE_ALLOW_PRIVATE_NETWORK: '127.0.0.1' }, undefined, connectors);
  url = service.address;
  quire = connect((await createWorkspace(service)).admin);
  root = connect(ROOT_KEY);
});
afterAll(() => service.stop());

/** Returns a client that records the operations that answer with success. */
export function connect(key: string): Quire {
  return new Quire({
    url,
    key,
    fetch: async (address, init) => {
      const response = await fetch(address, init);
      const target = operationOf(init.method ?? 'GET', new URL(address).pathname);
      if (response.ok && target !== undefined) answered.add(target.operation.operationId);
      return response;
    },
  });
}

/** Creates a collection and returns its documents. */
export const createDocuments = async () =>
  quire.collection((await quire.collections.create({ name: 'C' })).id).documents;
