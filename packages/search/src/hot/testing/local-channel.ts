/** Copies in the test's own thread. */
import { HotCopyError, type HotChannel } from '../hot-channel.ts';
import type { HotRequest } from '../hot-protocol.ts';
import { HotStore } from '../hot-store.ts';

export class LocalChannel implements HotChannel {
  readonly #store = new HotStore();
  onLost: (error: HotCopyError) => void = () => undefined;

  async ask(request: HotRequest) {
    const reply = await this.#store.handle(request);
    if ('error' in reply) throw new HotCopyError('failed', reply.error);
    return reply;
  }

  async close(): Promise<void> {}
}
