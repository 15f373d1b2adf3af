/** Connector to a drive of Microsoft 365 (SharePoint, OneDrive), by Microsoft Graph (version 1.0). */
import { Readable } from 'node:stream';
import {
  type ConnectorError,
  CredentialsRefused,
  ItemFailed,
  ListingFailed,
  SourceUnavailable,
} from '../../../connector-error.ts';
import type { ConnectorContext, FetchedFile, ListingPage } from '../../../connector.ts';
import type { ChangeBatch } from '../../../feed-listing.ts';
import { checkSize, HttpSource, itemError, type SourceResponse } from '../../../http/http-source.ts';
import { retryAfterMs } from '../../../http/retry-after.ts';
import type { TreeChild } from '../../../tree-listing.ts';
import { encodeKey } from '../../object-storage/keys.ts';
import { AccessToken } from '../access-token.ts';
import type { MicrosoftGraphConfig } from '../config.ts';
import { DriveConnector, type Place } from '../drive-connector.ts';
import { describeError, readJson, RestClient, type RestError } from '../rest-client.ts';
import { withReaders, type PermissionSource } from './permissions.ts';
import { childOf, ITEM_FIELDS, versionOf, type DriveItem } from './drive-items.ts';

/** Addresses of the service. Tests replace them. */
export interface GraphEndpoints {
  login: string;
  api: string;
}

export const MICROSOFT: GraphEndpoints = {
  login: 'https://login.microsoftonline.com',
  api: 'https://graph.microsoft.com/v1.0',
};

const PAGE_SIZE = 999;
interface ItemPage {
  value?: DriveItem[];
  '@odata.nextLink'?: string;
  '@odata.deltaLink'?: string;
}

export class MicrosoftGraphConnector extends DriveConnector {
  readonly #config: MicrosoftGraphConfig;
  readonly #endpoints: GraphEndpoints;

  constructor(config: MicrosoftGraphConfig, context: ConnectorContext, endpoints: GraphEndpoints = MICROSOFT) {
    const http = new HttpSource(context.outbound);
    const { tenantId, clientId, clientSecret } = config;
    const form = {
      grant_type: 'client_credentials',
      client_id: clientId,
      client_secret: clientSecret,
      scope: `${new URL(MICROSOFT.api).origin}/.default`,
    };
    const token = new AccessToken(http, `${endpoints.login}/${tenantId}/oauth2/v2.0/token`, () => form);
    super(context, new RestClient(http, token));
    this.#config = config;
    this.#endpoints = endpoints;
  }

  override async *list(resumeToken: string | null, signal: AbortSignal): AsyncGenerator<ListingPage> {
    for await (const page of super.list(resumeToken, signal)) {
      if (this.#config.permissions)
        yield { ...page, entries: await withReaders(page.entries, this.#readers(), signal) };
      else yield page;
    }
  }

  #readers(): PermissionSource {
    const { api } = this.#endpoints;
    return {
      client: this.client,
      api,
      itemPath: (id) => this.#item(id, '').slice(api.length),
      organisation: `group:${this.#config.tenantId}`,
      own: (link) => this.#own(link),
      errorOf: (error) => this.listingError(error, ''),
    };
  }

  async startToken(signal: AbortSignal): Promise<string> {
    const page = await this.json<ItemPage>(`${this.#drive}/root/delta?token=latest`, '', signal);
    const link = page['@odata.deltaLink'];
    if (link === undefined) throw new SourceUnavailable('the service returned no position of the change feed');
    return this.#own(link);
  }

  async changes(token: string, _maxChanges: number, signal: AbortSignal): Promise<ChangeBatch | null> {
    const answer = await this.client.get(this.#own(token), signal);
    if ('error' in answer) {
      // The service does not keep the changes any more and requests a synchronisation from the start.
      if (answer.error.status === 410 || answer.error.reason === 'resyncRequired') return null;
      throw this.listingError(answer.error, '');
    }
    const page = await readJson<ItemPage>(answer.response);
    const [next, latest] = [page['@odata.nextLink'], page['@odata.deltaLink']];
    return {
      changes: (page.value ?? [])
        .filter(({ root }) => root === undefined)
        .map(({ id, deleted, folder, parentReference }) => ({
          id,
          isRemoved: deleted !== undefined,
          isFolder: folder !== undefined,
          parentId: parentReference?.id ?? null,
        })),
      next: next === undefined ? null : this.#own(next),
      latest: latest === undefined ? null : this.#own(latest),
    };
  }

  async parentOf(folderId: string, signal: AbortSignal): Promise<string | null> {
    const folder = await this.jsonOrNull<DriveItem>(this.#item(folderId, '?$select=id,parentReference'), signal);
    return folder?.parentReference?.id ?? null;
  }

  protected async placeOf(id: string, signal: AbortSignal): Promise<Place | 'absent' | 'unknown'> {
    const item = await this.described<DriveItem>(this.#item(id, '?$select=id,deleted,parentReference'), signal);
    if (typeof item === 'string') return item;
    return item.deleted !== undefined ? 'absent' : { parentId: item.parentReference?.id ?? null };
  }

  protected async childrenOf(id: string, path: string, signal: AbortSignal): Promise<readonly TreeChild<string>[]> {
    const items: DriveItem[] = [];
    let url: string | undefined = this.#item(id, `/children?$top=${PAGE_SIZE}&$select=${ITEM_FIELDS}`);
    while (url !== undefined) {
      const page: ItemPage = await this.json<ItemPage>(url, path, signal);
      items.push(...(page.value ?? []));
      const next: string | undefined = page['@odata.nextLink'];
      url = next === undefined ? undefined : this.#own(next);
    }
    return items.map(childOf);
  }

  protected async open(id: string, path: string, signal: AbortSignal): Promise<FetchedFile> {
    const { maxFileBytes } = this.context;
    const describe = async (): Promise<DriveItem> =>
      readJson<DriveItem>(await this.file(this.#item(id, `?$select=${ITEM_FIELDS}`), path, signal));
    const before = await describe();
    checkSize(before.size, maxFileBytes, path);
    const response = await this.file(this.#item(id, '/content'), path, signal, maxFileBytes);
    const body = Readable.from(verified(response, before, describe, path), { signal, objectMode: false });
    const contentType = before.file?.mimeType;
    return { version: versionOf(before), ...(contentType === undefined ? {} : { contentType }), body };
  }

  protected async findRoot(signal: AbortSignal): Promise<string> {
    const { folder } = this.#config;
    const path = folder.split('/').filter(Boolean).join('/');
    const url = `${this.#drive}/root${path === '' ? '' : `:/${encodeKey(path)}`}?$select=id,folder`;
    const item = await this.json<DriveItem>(url, '', signal);
    if (item.folder === undefined) throw new ListingFailed('', 'the path is no folder');
    return item.id;
  }

  get #drive(): string {
    const { driveId, siteId = '' } = this.#config;
    const { api } = this.#endpoints;
    return driveId === undefined
      ? `${api}/sites/${encodeURIComponent(siteId)}/drive`
      : `${api}/drives/${encodeURIComponent(driveId)}`;
  }

  #item(id: string, rest: string): string {
    return `${this.#drive}/items/${encodeURIComponent(id)}${rest}`;
  }

  /** Returns a link of the service, if it leads to the service: the access token is sent there. */
  #own(link: string): string {
    const isOwn = URL.canParse(link) && new URL(link).origin === new URL(this.#endpoints.api).origin;
    if (!isOwn) throw new SourceUnavailable('the service returned a link to another host');
    return link;
  }

  protected listingError(error: RestError, folder: string): ConnectorError {
    const common = commonError(error);
    if (common !== null) return common;
    if (error.status === 403 && folder === '') return new CredentialsRefused(describeError(error));
    return new ListingFailed(folder, describeError(error));
  }

  protected fileError(error: RestError, path: string): ConnectorError {
    const common = commonError(error);
    if (common !== null) return common;
    const { status } = error;
    const reason = status === 404 || status === 410 ? 'gone' : status === 403 ? 'permission' : 'network';
    return new ItemFailed(path, reason, describeError(error));
  }
}

/** Streams a file, and checks at the end that it is still the one that was described. */
async function* verified(
  { body }: SourceResponse,
  before: DriveItem,
  describe: () => Promise<DriveItem>,
  path: string,
): AsyncGenerator<Buffer> {
  try {
    yield* body;
    if (versionOf(await describe()) === versionOf(before)) return;
  } catch (error) {
    throw itemError(error, path);
  }
  throw new ItemFailed(path, 'changed', 'the file changed while it was read');
}

function commonError(error: RestError): ConnectorError | null {
  const { status, headers } = error;
  if (status === 429 || status >= 500) {
    return new SourceUnavailable(describeError(error), retryAfterMs(headers['retry-after']));
  }
  return status === 401 ? new CredentialsRefused(describeError(error)) : null;
}
