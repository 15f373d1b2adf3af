import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../test/postgres.ts';
import { connectDatabase, type DatabaseHandle } from '../../database/connect.ts';
import { createLogger } from '../../logger.ts';
import type { ChatModel } from '@quire/models/chat-model';
import { RuntimeMissingError } from '@quire/models/local/gguf/runtime';
import { ModelNotFoundError } from '@quire/models/local/model-resolver';
import type { ChatSettings } from '@quire/models/remote/chat-settings';
import { SecretBox } from '../../shared/secret-box.ts';
import { newId } from '../../shared/uuid.ts';
import { WorkspaceService } from '../workspaces/service.ts';
import { keyPlace } from './api-key.ts';
import { ConfiguredChatModels } from './chat-models.ts';
import { ConfigurationRepository } from './repository.ts';

const secretBox = new SecretBox({ encryptionKey: Buffer.alloc(32, 7), keyId: 'k1' });

let database: TestDatabase;
let handle: DatabaseHandle;
let configurations: ConfigurationRepository;
let workspaceId: string;
let models: ConfiguredChatModels;
let opened: ChatSettings[];

beforeEach(async () => {
  database = await createTestDatabase();
  const logger = createLogger({ level: 'silent' });
  handle = connectDatabase({ connection: database.connectionString, poolSize: 2, applicationName: 'test', logger });
  configurations = new ConfigurationRepository(handle.db);
  const queue = { enqueue: async () => undefined } as never;
  const workspaces = new WorkspaceService({ database: handle.db, queue, onDeleted: () => undefined });
  workspaceId = (await workspaces.create('W')).id;
  opened = [];
  models = new ConfiguredChatModels({
    database: handle.db,
    secretBox,
    remote: { open: (settings) => (opened.push(settings), { modelId: settings.model } as ChatModel) },
    local: {
      open: async (name) => {
        throw name === 'absent' ? new ModelNotFoundError(name, ['/secret/place']) : new RuntimeMissingError();
      },
    },
  });
});

afterEach(async () => {
  await handle.close();
  await database.drop();
});

async function configure(config: Record<string, unknown>, apiKey?: string): Promise<string> {
  const id = newId();
  const secrets = apiKey === undefined ? {} : { apiKey: secretBox.seal(apiKey, keyPlace(id)) };
  await configurations.insert({
    id,
    workspace_id: workspaceId,
    kind: 'models',
    role: 'model',
    name: 'M',
    is_default: false,
    config: JSON.stringify(config),
    secrets: JSON.stringify(secrets),
  });
  return id;
}

test('a model receives all settings and its decrypted key, and is cached until its configuration changes', async () => {
  const id = await configure({ provider: 'provider_a', model: 'm1', apiKey: '••••', language: 'de' }, 'sk-clear');
  const first = await models.open(workspaceId, id);
  expect(await models.open(workspaceId, id)).toBe(first);
  expect(opened).toEqual([
    {
      configurationId: id,
      provider: 'provider_a',
      model: 'm1',
      apiKey: 'sk-clear',
      language: 'de',
    },
  ]);
  await configurations.update(workspaceId, id, { config: JSON.stringify({ provider: 'provider_a', model: 'm2' }) });
  expect((await models.open(workspaceId, id))?.modelId).toBe('m2');
});

test('the workspace’s default is the extractive engine until another default is set', async () => {
  expect(await models.open(workspaceId, null)).toBeNull();
  const id = await configure({ provider: 'provider_b', model: 'g' });
  await configurations.clearDefault(workspaceId, 'model');
  await configurations.update(workspaceId, id, { is_default: true });
  expect((await models.open(workspaceId, null))?.modelId).toBe('g');
});

test('a model that cannot be used gives its reason: 404, 409, 422', async () => {
  const id = await configure({ provider: 'provider_a', model: 'm' });
  await expect(models.open(workspaceId, newId())).rejects.toMatchObject({ status: 404 });
  await expect(models.open(newId(), id)).rejects.toMatchObject({ status: 404 });
  await configurations.update(workspaceId, id, { deleted_at: new Date() });
  await expect(models.open(workspaceId, id)).rejects.toMatchObject({ status: 409, details: [{ type: 'deleted' }] });
  const absent = await configure({ provider: 'local', model: 'absent' });
  await expect(models.open(workspaceId, absent)).rejects.toMatchObject({
    status: 422,
    message: "Value error, the language model 'absent' is not available on this server",
  });
  const unrunnable = await configure({ provider: 'local', model: 'there' });
  await expect(models.open(workspaceId, unrunnable)).rejects.toMatchObject({
    status: 422,
    message: expect.stringContaining('npm run models -- add gguf'),
  });
});
