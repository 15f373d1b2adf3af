/** Connector to a folder of Google Drive or a shared drive, by the REST API (version 3). */
import { createHash, createSign } from 'node:crypto';
import { Readable } from 'node:stream';
import {
  type ConnectorError,
  CredentialsRefused,
  ItemFailed,
  ListingFailed,
  SourceUnavailable,
} from '../../../connector-error.ts';
import type { ConnectorContext, FetchedFile } from '../../../connector.ts';
import type { ChangeBatch } from '../../../feed-listing.ts';
import { checkSize, HttpSource, itemError, type SourceResponse } from '../../../http/http-source.ts';
import { retryAfterMs } from '../../../http/retry-after.ts';
import type { TreeChild } from '../../../tree-listing.ts';
import { AccessToken } from '../access-token.ts';
import type { GoogleDriveConfig } from '../config.ts';
import { DriveConnector, type Place } from '../drive-connector.ts';
import { describeError, readJson, RestClient, type RestError } from '../rest-client.ts';
import { childrenOf, exportOf, FILE_FIELDS, FOLDER_TYPE, versionOf, type DriveFile } from './drive-files.ts';

/** Addresses of the service. Tests replace them. */
export interface GoogleEndpoints {
  token: string;
  api: string;
}

export const GOOGLE: GoogleEndpoints = {
  token: 'https://oauth2.googleapis.com/token',
  api: 'https://www.googleapis.com/drive/v3',
};

const SCOPE = 'https://www.googleapis.com/auth/drive.readonly';
const PAGE_SIZE = 1000;
const RATE_REASONS = new Set([
  'rateLimitExceeded',
  'userRateLimitExceeded',
  'dailyLimitExceeded',
  'sharingRateLimitExceeded',
]);
const ACCESS_REASONS = new Set(['insufficientPermissions', 'accessNotConfigured', 'authError', 'domainPolicy']);

interface DriveChange {
  fileId?: string;
  removed?: boolean;
  changeType?: string;
  file?: DriveFile;
}

interface FilePage {
  nextPageToken?: string;
  incompleteSearch?: boolean;
  files?: DriveFile[];
}

export class GoogleDriveConnector extends DriveConnector {
  readonly #config: GoogleDriveConfig;
  readonly #endpoints: GoogleEndpoints;

  constructor(config: GoogleDriveConfig, context: ConnectorContext, endpoints: GoogleEndpoints = GOOGLE) {
    const http = new HttpSource(context.outbound);
    super(context, new RestClient(http, new AccessToken(http, endpoints.token, () => grantOf(config))));
    this.#config = config;
    this.#endpoints = endpoints;
  }

  async startToken(signal: AbortSignal): Promise<string> {
    const url = this.#url('changes/startPageToken', this.#drive());
    return (await this.json<{ startPageToken: string }>(url, '', signal)).startPageToken;
  }

  async changes(token: string, maxChanges: number, signal: AbortSignal): Promise<ChangeBatch | null> {
    const { sharedDriveId } = this.#config;
    const answer = await this.client.get(
      this.#url('changes', {
        ...this.#drive(),
        pageToken: token,
        pageSize: String(Math.min(maxChanges, PAGE_SIZE)),
        includeRemoved: 'true',
        ...(sharedDriveId === undefined ? {} : { includeItemsFromAllDrives: 'true' }),
        fields: `nextPageToken,newStartPageToken,changes(fileId,removed,changeType,file(${FILE_FIELDS}))`,
      }),
      signal,
    );
    if ('error' in answer) {
      // The position is too old or of another drive.
      if ([400, 404, 410].includes(answer.error.status)) return null;
      throw this.listingError(answer.error, '');
    }
    const page = await readJson<{ nextPageToken?: string; newStartPageToken?: string; changes?: DriveChange[] }>(
      answer.response,
    );
    return {
      changes: (page.changes ?? []).flatMap(({ fileId, removed, file }) => {
        if (fileId === undefined) return [];
        const isRemoved = removed === true || file === undefined || file.trashed === true;
        return [
          { id: fileId, isRemoved, isFolder: file?.mimeType === FOLDER_TYPE, parentId: file?.parents?.[0] ?? null },
        ];
      }),
      next: page.nextPageToken ?? null,
      latest: page.newStartPageToken ?? null,
    };
  }

  async parentOf(folderId: string, signal: AbortSignal): Promise<string | null> {
    const folder = await this.jsonOrNull<DriveFile>(this.#fileUrl(folderId, { fields: 'id,parents,trashed' }), signal);
    return folder === null || folder.trashed === true ? null : (folder.parents?.[0] ?? null);
  }

  protected async placeOf(id: string, signal: AbortSignal): Promise<Place | 'absent' | 'unknown'> {
    const file = await this.described<DriveFile>(this.#fileUrl(id, { fields: 'id,parents,trashed' }), signal);
    if (typeof file === 'string') return file;
    return file.trashed === true ? 'absent' : { parentId: file.parents?.[0] ?? null };
  }

  protected async childrenOf(id: string, path: string, signal: AbortSignal): Promise<readonly TreeChild<string>[]> {
    const { sharedDriveId } = this.#config;
    const files: DriveFile[] = [];
    let pageToken: string | undefined;
    do {
      const url = this.#url('files', {
        q: `'${id.replaceAll(/['\\]/g, '\\$&')}' in parents and trashed = false`,
        pageSize: String(PAGE_SIZE),
        supportsAllDrives: 'true',
        includeItemsFromAllDrives: 'true',
        ...(sharedDriveId === undefined ? {} : { corpora: 'drive', driveId: sharedDriveId }),
        fields: `nextPageToken,incompleteSearch,files(${FILE_FIELDS})`,
        ...(pageToken === undefined ? {} : { pageToken }),
      });
      const page = await this.json<FilePage>(url, path, signal);
      if (page.incompleteSearch === true)
        throw new ListingFailed(path, 'the service searched a part of the folder only');
      files.push(...(page.files ?? []));
      pageToken = page.nextPageToken;
    } while (pageToken !== undefined);
    return childrenOf(files);
  }

  protected async open(id: string, path: string, signal: AbortSignal): Promise<FetchedFile> {
    const { maxFileBytes } = this.context;
    const file = await readJson<DriveFile>(await this.file(this.#fileUrl(id, { fields: FILE_FIELDS }), path, signal));
    if (file.trashed === true) throw new ItemFailed(path, 'gone', 'the file is in the trash');
    const exported = exportOf(file);
    if (exported === null) checkSize(file.size === undefined ? undefined : Number(file.size), maxFileBytes, path);
    const url =
      exported === null
        ? this.#fileUrl(id, { alt: 'media' })
        : this.#url(`files/${encodeURIComponent(id)}/export`, { mimeType: exported.contentType });
    const response = await this.file(url, path, signal, maxFileBytes);
    const body = Readable.from(verified(response, file.md5Checksum, path), { signal, objectMode: false });
    return { version: versionOf(file) || id, contentType: exported?.contentType ?? file.mimeType, body };
  }

  protected async findRoot(signal: AbortSignal): Promise<string> {
    const { folderId, sharedDriveId } = this.#config;
    const url = this.#fileUrl(folderId ?? sharedDriveId ?? 'root', { fields: 'id,mimeType,trashed' });
    const { id, mimeType, trashed } = await this.json<DriveFile>(url, '', signal);
    if (trashed === true || mimeType !== FOLDER_TYPE) throw new ListingFailed('', 'the folder does not exist any more');
    return id;
  }

  #drive(): Record<string, string> {
    const { sharedDriveId } = this.#config;
    return { supportsAllDrives: 'true', ...(sharedDriveId === undefined ? {} : { driveId: sharedDriveId }) };
  }

  #url(path: string, query: Record<string, string>): string {
    return `${this.#endpoints.api}/${path}?${new URLSearchParams(query).toString()}`;
  }

  #fileUrl(id: string, query: Record<string, string>): string {
    return this.#url(`files/${encodeURIComponent(id)}`, { supportsAllDrives: 'true', ...query });
  }

  protected listingError(error: RestError, folder: string): ConnectorError {
    return commonError(error) ?? new ListingFailed(folder, describeError(error));
  }

  protected fileError(error: RestError, path: string): ConnectorError {
    const { status, reason } = error;
    if (reason === 'exportSizeLimitExceeded') return new ItemFailed(path, 'too_large', describeError(error));
    const common = commonError(error);
    if (common !== null) return common;
    if (status === 404 || status === 410) return new ItemFailed(path, 'gone', describeError(error));
    if (status === 403) return new ItemFailed(path, 'permission', describeError(error));
    return new ItemFailed(path, 'network', describeError(error));
  }
}

/** Streams a file and compares its checksum: its content may be newer than its description. */
async function* verified({ body }: SourceResponse, md5: string | undefined, path: string): AsyncGenerator<Buffer> {
  const hash = createHash('md5');
  try {
    for await (const part of body) {
      hash.update(part);
      yield part;
    }
  } catch (error) {
    throw itemError(error, path);
  }
  if (md5 !== undefined && hash.digest('hex') !== md5) {
    throw new ItemFailed(path, 'changed', 'the file changed while it was read');
  }
}

const base64url = (text: string): string => Buffer.from(text).toString('base64url');

/** Returns the form for an access token: of a user's consent, or an assertion of a service account. */
function grantOf(config: GoogleDriveConfig): Record<string, string> {
  const { refreshToken = '', clientId = '', clientSecret = '', serviceAccount } = config;
  if (serviceAccount === undefined) {
    return {
      grant_type: 'refresh_token',
      refresh_token: refreshToken,
      client_id: clientId,
      client_secret: clientSecret,
    };
  }
  const now = Math.floor(Date.now() / 1000);
  const claims = { iss: serviceAccount.client_email, scope: SCOPE, aud: GOOGLE.token, iat: now, exp: now + 3600 };
  const unsigned = `${base64url(JSON.stringify({ alg: 'RS256', typ: 'JWT' }))}.${base64url(JSON.stringify(claims))}`;
  try {
    const signature = createSign('RSA-SHA256').update(unsigned).sign(serviceAccount.private_key, 'base64url');
    return { grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion: `${unsigned}.${signature}` };
  } catch (error) {
    throw new CredentialsRefused('the private key of the service account cannot be read', { cause: error });
  }
}

function commonError(error: RestError): ConnectorError | null {
  const { status, reason, headers } = error;
  const isLimit = status === 429 || (status === 403 && RATE_REASONS.has(reason));
  if (isLimit || status >= 500)
    return new SourceUnavailable(describeError(error), retryAfterMs(headers['retry-after']));
  const isRefused = status === 401 || (status === 403 && ACCESS_REASONS.has(reason));
  return isRefused ? new CredentialsRefused(describeError(error)) : null;
}
