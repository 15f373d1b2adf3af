import type { AccessDeps } from '../src/http/access.ts';
import { RateLimiter } from '../src/http/plugins/rate-limit.ts';
import { Traffic } from '../src/http/traffic/traffic.ts';

const nothing = async (): Promise<undefined> => undefined;

/** Returns the access checks of a server without keys and records, changed as given. */
export function accessStub({ loaders, ...changes }: Partial<AccessDeps> = {}): AccessDeps {
  return {
    authenticate: nothing,
    workspaceExists: async () => false,
    loaders: {
      col: nothing,
      doc_id: nothing,
      key_id: nothing,
      model_id: nothing,
      embedder_id: nothing,
      parser_id: nothing,
      chat_id: nothing,
      message_id: nothing,
      run_id: nothing,
      webhook_id: nothing,
      delivery_id: nothing,
      connector_id: nothing,
      sync_id: nothing,
      ...loaders,
    },
    isInScope: async () => true,
    recallCollection: nothing,
    verifyLink: () => false,
    limiter: new RateLimiter(0, Date.now),
    traffic: new Traffic({ memoryBytes: 64 * 1024 ** 2, maxRequests: 1_000, maxConnections: 1_000 }),
    ...changes,
  };
}
