/** A server that plays a provider, with connections to it; the conformance suites of all kinds use it. */
import { AddressRules } from '@quire/outbound/address-rules';
import { OutboundClient } from '@quire/outbound/outbound-client';
import { PROVIDERS } from '../providers/registry.ts';
import type { ProviderCallRecord } from '../provider-observer.ts';
import { ProviderConnections } from '../remote/provider-connections.ts';
import { RequestGates } from '../remote/request-gates.ts';
import { fakeClock, type FakeClock } from './fake-clock.ts';
import { play, timeLimitMs, type Act, type WireServer } from './wire-server.ts';

export interface ProviderStage extends WireServer {
  outbound: OutboundClient;
  connections: ProviderConnections;
  clock: FakeClock;
  /** The calls that the connections have observed. */
  calls: ProviderCallRecord[];
}

export async function playProvider(acts: readonly Act[]): Promise<ProviderStage> {
  const server = await play(...acts);
  const clock = fakeClock();
  const calls: ProviderCallRecord[] = [];
  const outbound = new OutboundClient(new AddressRules(['127.0.0.1']));
  const gates = new RequestGates(clock);
  const observe = (call: ProviderCallRecord): void => void calls.push(call);
  const timeoutMs = timeLimitMs(acts);
  const connections = new ProviderConnections({ providers: PROVIDERS, outbound, clock, gates, observe, timeoutMs });
  return { ...server, outbound, connections, clock, calls };
}
