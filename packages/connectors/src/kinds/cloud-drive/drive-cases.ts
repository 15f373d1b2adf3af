/** Cases that the connectors of all drives share, besides the conformance suite. Only imported by tests. */
import { AddressRules } from '@quire/outbound/address-rules';
import { OutboundClient } from '@quire/outbound/outbound-client';
import { expect, onTestFinished, test } from 'vitest';
import { listAll, noAbort, pathsOf, readBody } from '../../conformance/read-source.ts';
import { ItemFailed } from '../../connector-error.ts';
import type { Connector, ConnectorContext, ListingPage, SourceEntry } from '../../connector.ts';

/** A server of the tests. */
export interface DriveOfTests {
  /** Access tokens that are accepted. */
  tokens: Set<string>;
  pageSize: number;
  /** Called before the content of a file is sent. */
  onContent: (() => void) | null;
  put(path: string, bytes: Buffer | null): string;
  close(): Promise<void>;
}

export const entriesOf = (pages: readonly ListingPage[]): SourceEntry[] => pages.flatMap(({ entries }) => [...entries]);
export const tokenOf = (pages: readonly ListingPage[]): string => pages.at(-1)?.changeToken ?? 'none';

/** Starts a server for the current test. */
export async function startFor<Server extends { close(): Promise<void> }>(
  start: () => Promise<Server>,
): Promise<Server> {
  const server = await start();
  onTestFinished(() => server.close());
  return server;
}

export function testDrive<Server extends DriveOfTests>(
  start: () => Promise<Server>,
  open: (server: Server, more?: object, context?: Partial<ConnectorContext>) => Connector,
): void {
  test('a folder of more than one page is listed whole', async () => {
    const server = await startFor(start);
    for (let at = 0; at < 25; at += 1) server.put(`many/${at}`, Buffer.from(`${at}`));
    server.pageSize = 10;
    expect(pathsOf(await listAll(open(server))).length).toBe(25);
  });

  test('an access token that has expired is replaced once', async () => {
    const server = await startFor(start);
    server.put('a.txt', Buffer.from('1'));
    const connector = open(server);
    await connector.test(noAbort);
    server.tokens.clear();
    expect(await connector.test(noAbort)).toEqual(['a.txt']);
    expect([...server.tokens]).toEqual(['token-2']);
  });

  test('a file that changes between its description and its content fails as changed', async () => {
    const server = await startFor(start);
    server.put('a.txt', Buffer.alloc(300_000, 'o'));
    const connector = open(server);
    const [entry = { path: '', version: '' }] = entriesOf(await listAll(connector));
    server.onContent = () => void server.put('a.txt', Buffer.alloc(300_000, 'n'));
    const { body } = await connector.fetch(entry, noAbort);
    const failure: unknown = await readBody(body).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ItemFailed);
    expect(failure).toMatchObject({ path: 'a.txt', reason: 'changed' });
  });

  test('an address that is not public is refused before a connection, in every method', async () => {
    const server = await startFor(start);
    const connector = open(server, {}, { outbound: new OutboundClient(new AddressRules([])) });
    const entry = { path: 'a', id: 'a', version: 'v' };
    const works = [() => listAll(connector), () => connector.test(noAbort), () => connector.fetch(entry, noAbort)];
    for (const work of works) await expect(work()).rejects.toMatchObject({ type: 'address_refused' });
    expect(server.tokens.size).toBe(0);
  });
}
