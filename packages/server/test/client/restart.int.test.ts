// large: kills and starts a whole service
/** A client whose service is killed and started again continues its answer and its uploads by itself. */
import { FailedError, Quire } from '@quire/client';
import { expect, test } from 'vitest';
import { startChatProvider } from '../chat-provider.ts';
import { removeDirectory, startService } from '../service-process.ts';

test('a service killed in the middle of an answer is followed over its restart', async () => {
  let goOn: () => void = () => undefined;
  const wait = new Promise<void>((resolve) => (goOn = resolve));
  const provider = await startChatProvider((_request, call) =>
    call === 0 ? [{ search: 'closing time' }] : ['On Thursdays it closes ', { wait }, 'at eight.'],
  );
  const env = { QUIRE_ALLOW_PRIVATE_NETWORK: '127.0.0.1' };
  let service = await startService({ env });
  const { dataDir, rootKey, address: url } = service;
  try {
    const root = new Quire({ url, key: rootKey, retries: 12 });
    const quire = root.workspace((await root.workspaces.create({ name: 'restart' })).id);
    const { id } = await quire.collections.create({ name: 'Library' });
    const config = { provider: 'provider_a' as const, model: 'm', baseUrl: provider.baseUrl };
    const { id: modelId } = await quire.models.create({ name: 'M', config });
    const chat = await quire.chats.create({ title: 'Hours', collection_id: id, modelId });
    const answer = quire.chat(chat.id).ask('When does it close on Thursdays?');
    for await (const { messages } of answer) if (JSON.stringify(messages).includes('it closes')) break;
    const final = answer.final;
    await service.kill();
    const upload = quire.collection(id).documents.upload({ name: 'a.txt', content: 'A text.' }, { duplicates: 'skip' });
    service = await startService({ dataDir, rootKey, env: { ...env, QUIRE_PORT: new URL(url).port } });
    // The service ends what it did not finish; the client reads that end on a new connection.
    await expect(final).rejects.toThrow(FailedError);
    expect(answer.state?.messages[1]).toMatchObject({ status: 'failed', error: { type: 'interrupted' } });
    expect(answer.state?.messages[1]).toEqual((await quire.chat(chat.id).history().all())[1]);
    expect((await upload.ready()).status).toBe('ready');
  } finally {
    goOn();
    await service.stop();
    await provider.close();
    removeDirectory(dataDir);
  }
});
