import type { AuthInfo } from '@modelcontextprotocol/server';
import type { Principal } from '../../domain/keys/types.ts';

/** The request that a tool call came with. */
export interface McpCaller {
  workspaceId: string;
  principal: Principal;
  /** Scheme, host and base path under which the client reached this service. */
  baseUrl: string;
  requestId: string;
  /** Aborted when the client disconnects. */
  signal: AbortSignal;
}

const CALLER = 'quireCaller';

/** Wraps the caller in the form in which the protocol library passes it on; it holds no key. */
export const toAuthInfo = (caller: McpCaller): AuthInfo => ({
  token: '',
  clientId: caller.principal.keyId,
  scopes: [],
  extra: { [CALLER]: caller },
});

export function callerOf(authInfo: AuthInfo | undefined): McpCaller {
  const caller = authInfo?.extra?.[CALLER];
  if (caller === undefined) throw new Error('an MCP request is handled after its access was checked');
  return caller as McpCaller;
}
