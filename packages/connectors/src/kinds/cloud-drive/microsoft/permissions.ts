/** Readers of the items of a drive. Microsoft Graph returns them item by item; a batch has up to 20 requests. */
import { type ConnectorError, SourceUnavailable } from '../../../connector-error.ts';
import type { SourceEntry } from '../../../connector.ts';
import { retryAfterMs } from '../../../http/retry-after.ts';
import { readJson, type RestClient, type RestError } from '../rest-client.ts';

const BATCH_SIZE = 20;
/** Number of batches that are requested at the same time. */
const BATCHES = 4;
/** Claims of SharePoint for everyone in the organisation, with and without guests. */
const EVERYONE = /\|spo-grid-all-users\/|^c:0\(\.s\|true$/;

interface Identity {
  id?: string;
  displayName?: string;
  email?: string;
  loginName?: string;
}

interface Identities {
  user?: Identity;
  siteUser?: Identity;
  group?: Identity;
  siteGroup?: Identity;
}

export interface Permission {
  link?: { scope?: string };
  hasPassword?: boolean;
  expirationDateTime?: string;
  grantedToV2?: Identities;
  grantedToIdentitiesV2?: Identities[];
}

interface PermissionPage {
  value?: Permission[];
  '@odata.nextLink'?: string;
}

interface BatchAnswer {
  id: string;
  status: number;
  headers?: Record<string, string>;
  body?: PermissionPage;
}

export interface PermissionSource {
  client: RestClient;
  /** Address of the API, without a slash at its end. */
  api: string;
  /** Address of an item within the API, which begins with a slash. */
  itemPath: (id: string) => string;
  /** Group of everyone in the organisation. */
  organisation: string;
  /** Throws if a link of the service leads elsewhere. */
  own: (link: string) => string;
  errorOf: (error: RestError) => ConnectorError;
}

/** Adds the readers to the files of a page. Files whose permissions the application may not read have none. */
export async function withReaders(
  entries: readonly SourceEntry[],
  source: PermissionSource,
  signal: AbortSignal,
): Promise<SourceEntry[]> {
  const ids = entries.flatMap(({ id, skip }) => (id === undefined || skip !== undefined ? [] : [id]));
  const batches = Array.from({ length: Math.ceil(ids.length / BATCH_SIZE) }, (_each, at) =>
    ids.slice(at * BATCH_SIZE, (at + 1) * BATCH_SIZE),
  ).values();
  const readers = new Map<string, string[]>();
  const failed = new AbortController();
  const readAll = async (): Promise<void> => {
    for (const batch of batches) {
      failed.signal.throwIfAborted();
      for (const [id, found] of await readBatch(batch, source, signal)) readers.set(id, found);
    }
  };
  const reading = Array.from({ length: BATCHES }, readAll);
  await Promise.all(reading).catch(async (error: unknown) => {
    failed.abort(error);
    await Promise.allSettled(reading);
    throw error;
  });
  return entries.map((entry) => {
    const permissions = readers.get(entry.id ?? '');
    return permissions === undefined ? entry : { ...entry, permissions };
  });
}

async function readBatch(
  ids: readonly string[],
  source: PermissionSource,
  signal: AbortSignal,
): Promise<[string, string[]][]> {
  const { client, api, itemPath, organisation, own, errorOf } = source;
  const requests = ids.map((id, at) => ({ id: String(at), method: 'GET', url: `${itemPath(id)}/permissions` }));
  const answer = await client.post(`${api}/$batch`, { requests }, signal);
  if ('error' in answer) throw errorOf(answer.error);
  const { responses = [] } = await readJson<{ responses?: BatchAnswer[] }>(answer.response);
  const found: [string, string[]][] = [];
  for (const { id: at, status, headers = {}, body } of responses) {
    const id = ids[Number(at)];
    if (status === 429 || status >= 500) throw limitOf(status, headers);
    if (id === undefined || status !== 200 || body === undefined) continue;
    const permissions = [...(body.value ?? [])];
    for (let next = body['@odata.nextLink']; next !== undefined;) {
      const page = await client.get(own(next), signal);
      if ('error' in page) throw errorOf(page.error);
      const more = await readJson<PermissionPage>(page.response);
      permissions.push(...(more.value ?? []));
      next = more['@odata.nextLink'];
    }
    found.push([id, readersOf(permissions, organisation)]);
  }
  return found;
}

function limitOf(status: number, headers: Record<string, string>): SourceUnavailable {
  const delay = Object.entries(headers).find(([name]) => name.toLowerCase() === 'retry-after')?.[1];
  return new SourceUnavailable(`permissions could not be read (HTTP ${status})`, retryAfterMs(delay));
}

/** Returns each reader once, in order. Links that need a password or have expired are left out. */
export function readersOf(permissions: readonly Permission[], organisation: string, now = Date.now()): string[] {
  const readers = permissions.flatMap((permission) => {
    const { link, hasPassword, expirationDateTime, grantedToV2, grantedToIdentitiesV2 = [] } = permission;
    if (hasPassword === true || Date.parse(expirationDateTime ?? '') < now) return [];
    if (link?.scope === 'anonymous') return ['public'];
    if (link?.scope === 'organization') return [organisation];
    return [grantedToV2 ?? {}, ...grantedToIdentitiesV2].flatMap((each) => readerOf(each, organisation));
  });
  return [...new Set(readers)];
}

function readerOf({ user, siteUser, group, siteGroup }: Identities, organisation: string): string[] {
  if (EVERYONE.test(siteUser?.loginName ?? '')) return [organisation];
  const groupName = group?.email ?? siteGroup?.displayName ?? group?.displayName ?? group?.id;
  if (groupName !== undefined) return [`group:${groupName}`];
  const userName = user?.email ?? siteUser?.email ?? siteUser?.loginName?.split('|').at(-1) ?? user?.id;
  return userName === undefined ? [] : [`user:${userName}`];
}
