/** Other keys of the workspace, and tokens of other users, look for a chat that is not theirs. */
import { mintToken } from '@quire/client';
import { Random } from '../../chaos/random.ts';
import { repeat, type Attack, type Target } from '../attack.ts';

const PARALLEL = 2;

async function run({ keys, workspace, chat, seed, signal, send, broken }: Target): Promise<void> {
  const random = new Random(seed);
  const base = `/v1/w/${workspace}/chat`;
  const whoami = await send('GET', '/v1/whoami', { key: keys.admin });
  const keyId = /"keyId":"([^"]+)"/.exec(whoami?.text ?? '')?.[1] ?? '';
  const token = (subject: string): Promise<string> =>
    mintToken({ keyId, key: keys.admin, permission: 'admin', subject });
  const callers = { read: keys.read, write: keys.write, 'a token of another user': await token('mallory') };
  const calls = [
    ['GET', ''],
    ['GET', '/history'],
    ['PATCH', ''],
    ['DELETE', ''],
    ['PUT', '/undelete'],
    ['POST', '/message'],
    ['GET', `/message/${chat}/stream`],
    ['POST', `/message/${chat}/stop`],
  ] as const;
  await repeat(signal, PARALLEL, async () => {
    const [name, key] = random.pick(Object.entries(callers));
    const [method, below] = random.pick(calls);
    const body = ['GET', 'DELETE'].includes(method) ? {} : { body: '{"query":"What is the secret?"}' };
    const one = await send(method, `${base}/${chat}${below}`, { key, ...body });
    if (one !== undefined && ![404, 429, 503].includes(one.status)) {
      broken(`${name} reached the chat of another key: ${method} ${below} ${one.status}`);
    }
    const list = await send('GET', `${base}?includeDeleted=true`, { key });
    if (list?.text.includes(chat) === true) broken(`${name} listed the chat of another key`);
  });
}

export const attack: Attack = { name: 'privacy', fault: 'privacy', run };
