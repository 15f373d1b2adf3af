/** A channel whose copies are in the test's own thread. */
import { CopyError, type CopyChannel } from '../copy-channel.ts';
import type { CopyRequest } from '../copy-protocol.ts';
import { CopyStore } from '../copy-store.ts';

export class LocalChannel implements CopyChannel {
  readonly #store = new CopyStore();
  onLost: (error: CopyError) => void = () => undefined;

  async request(request: CopyRequest) {
    const reply = await this.#store.handle(request);
    if ('error' in reply) throw new CopyError('failed', reply.error);
    return reply;
  }

  async close(): Promise<void> {}
}
