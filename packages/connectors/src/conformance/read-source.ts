/** Reads a source for the conformance suite and checks what every page must satisfy. Only imported by tests. */
import { AddressRules } from '@quire/outbound/address-rules';
import { OutboundClient } from '@quire/outbound/outbound-client';
import { expect } from 'vitest';
import type { ItemFailure } from '../connector-error.ts';
import { ItemFailed } from '../connector-error.ts';
import {
  MAX_PATH_BYTES,
  MAX_RESUME_TOKEN_BYTES,
  type Connector,
  type ConnectorContext,
  type ListingPage,
  type SourceEntry,
} from '../connector.ts';
import { MemoryState } from '../testing/memory-state.ts';
import type { TestSource } from './source.ts';

/** State of the connector of the current case. */
export const state = new MemoryState();

export const CONTEXT: ConnectorContext = {
  maxFileBytes: 10_000_000,
  maxPageEntries: 3,
  outbound: new OutboundClient(new AddressRules(['127.0.0.0/8', '::1'])),
  state,
  changesSince: null,
  remember: async () => undefined,
};

/** A signal that is never aborted. */
export const noAbort: AbortSignal = new AbortController().signal;

export async function write(source: TestSource, ...paths: string[]): Promise<void> {
  for (const path of paths) await source.write(path, Buffer.from(`content of ${path}`));
}

const hasDots = (path: string): boolean => path.split('/').some((segment) => ['', '.', '..'].includes(segment));

function checkPage(page: ListingPage, maxPageEntries: number): void {
  expect(page.entries.length).toBeLessThanOrEqual(maxPageEntries);
  expect(Buffer.byteLength(page.resumeToken ?? '')).toBeLessThanOrEqual(MAX_RESUME_TOKEN_BYTES);
  const malformed = page.entries.filter(
    ({ path, version, permissions = [] }) =>
      hasDots(path) ||
      Buffer.byteLength(path) > MAX_PATH_BYTES ||
      version === '' ||
      !permissions.every((reader) => reader === 'public' || /^(?:user|group):./.test(reader)),
  );
  expect(malformed).toEqual([]);
}

/** Lists until the last page, and stores the state of each. Pages up to a failure stay in `pages`. */
export async function listInto(
  pages: ListingPage[],
  connector: Connector,
  resumeToken: string | null = null,
  context = CONTEXT,
  onPage: () => void = () => undefined,
): Promise<void> {
  for await (const page of connector.list(resumeToken, noAbort)) {
    checkPage(page, context.maxPageEntries);
    state.apply(page.state);
    pages.push(page);
    onPage();
  }
  expect(pages.map((page) => page.resumeToken === null)).toEqual(pages.map((_page, at) => at === pages.length - 1));
}

export async function listAll(connector: Connector, resumeToken: string | null = null): Promise<ListingPage[]> {
  const pages: ListingPage[] = [];
  await listInto(pages, connector, resumeToken);
  return pages;
}

export const pathsOf = (pages: readonly ListingPage[]): string[] =>
  pages.flatMap(({ entries }) => entries.map(({ path }) => path)).toSorted();

export const foldersOfPages = (pages: readonly ListingPage[]): string[] =>
  pages.flatMap(({ completeFolders }) => completeFolders).toSorted();

export async function entryAt(connector: Connector, path: string): Promise<SourceEntry> {
  const entries = (await listAll(connector)).flatMap((page) => page.entries);
  const entry = entries.find((each) => each.path === path);
  if (entry === undefined) throw new Error(`the listing does not contain '${path}'`);
  return entry;
}

export async function readBody(body: AsyncIterable<Buffer>): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of body) parts.push(part);
  return Buffer.concat(parts);
}

/** Fetches and reads a file; expects that one of the two fails, with this reason. */
export async function expectItemFailure(connector: Connector, entry: SourceEntry, reason: ItemFailure): Promise<void> {
  const error: unknown = await connector
    .fetch(entry, noAbort)
    .then(({ body }) => readBody(body))
    .then(
      () => 'no failure',
      (failure: unknown) => failure,
    );
  expect(error).toBeInstanceOf(ItemFailed);
  expect(error).toMatchObject({ path: entry.path, reason });
}
