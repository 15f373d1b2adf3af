/** The sources that a connector can have, with the settings that its form shows. */
import type { Connector } from '@quire/client';
import type { ConfigField } from '../../data/config-fields.ts';

export interface Source {
  id: string;
  label: string;
  kind: Connector['kind'];
  /** Settings that distinguish this source from others of its kind. */
  fixed: Readonly<Record<string, string>>;
  fields: readonly ConfigField[];
}

type Options = Partial<Omit<ConfigField, 'name' | 'label'>>;

const field = (name: string, label: string, options: Options = {}): ConfigField => ({
  name,
  label,
  kind: 'text',
  choices: [],
  isRequired: false,
  help: undefined,
  placeholder: undefined,
  ...options,
});
const needed = (name: string, label: string, options: Options = {}): ConfigField =>
  field(name, label, { isRequired: true, ...options });
const secret = (name: string, label: string, options: Options = {}): ConfigField =>
  field(name, label, { kind: 'secret', ...options });

const LOGIN = [field('username', 'User name'), secret('password', 'Password')];
const FOLDER = field('path', 'Folder', { help: 'Without one, the folder after the login.' });

export const SOURCES: readonly Source[] = [
  {
    id: 's3',
    label: 'Object storage (S3)',
    kind: 'object_storage',
    fixed: {},
    fields: [
      needed('bucket', 'Bucket'),
      field('prefix', 'Prefix', { placeholder: 'contracts/' }),
      field('region', 'Region', { placeholder: 'us-east-1' }),
      field('endpoint', 'Endpoint', { kind: 'url', help: 'For services other than Amazon S3.' }),
      field('accessKeyId', 'Access key id', { help: 'Without keys, requests are anonymous.' }),
      secret('secretAccessKey', 'Secret access key'),
    ],
  },
  {
    id: 'web',
    label: 'Web site',
    kind: 'web',
    fixed: {},
    fields: [
      field('startUrls', 'Start addresses', { kind: 'list', placeholder: 'https://www.example.com/' }),
      field('sitemaps', 'Sitemaps', { kind: 'list', placeholder: 'https://www.example.com/sitemap.xml' }),
      field('maxDepth', 'Depth of links', { kind: 'number', placeholder: '3' }),
      field('maxPages', 'Maximum number of pages', { kind: 'number', placeholder: '1000' }),
      field('requestsPerSecond', 'Requests a second', { kind: 'number', placeholder: '1' }),
    ],
  },
  {
    id: 'webdav',
    label: 'WebDAV, Nextcloud',
    kind: 'cloud_drive',
    fixed: { service: 'webdav' },
    fields: [needed('url', 'Address of the folder', { kind: 'url' }), ...LOGIN],
  },
  {
    id: 'google_drive',
    label: 'Google Drive by the consent of a user',
    kind: 'cloud_drive',
    fixed: { service: 'google_drive' },
    fields: [
      field('folderId', 'Folder id'),
      field('sharedDriveId', 'Shared drive id'),
      needed('clientId', 'Client id'),
      secret('clientSecret', 'Client secret', { isRequired: true }),
      secret('refreshToken', 'Refresh token', { isRequired: true }),
    ],
  },
  {
    id: 'google_drive_service_account',
    label: 'Google Drive by a service account',
    kind: 'cloud_drive',
    fixed: { service: 'google_drive' },
    fields: [
      needed('serviceAccount', 'Key file of the service account', {
        kind: 'json',
        help: 'The content of the JSON file. Share the folder with the address that it names as client_email.',
        placeholder: '{ "type": "service_account", "client_email": "…", "private_key": "…" }',
      }),
      field('folderId', 'Folder id', { help: 'The last part of its address.' }),
      field('sharedDriveId', 'Shared drive id'),
    ],
  },
  {
    id: 'microsoft_graph',
    label: 'OneDrive, SharePoint by an app registration',
    kind: 'cloud_drive',
    fixed: { service: 'microsoft_graph' },
    fields: [
      needed('tenantId', 'Tenant id'),
      needed('clientId', 'Client id'),
      secret('clientSecret', 'Client secret', { isRequired: true }),
      field('siteId', 'Site id'),
      field('driveId', 'Drive id'),
      field('folder', 'Folder'),
    ],
  },
  {
    id: 'sftp',
    label: 'SFTP',
    kind: 'ftp',
    fixed: { protocol: 'sftp' },
    fields: [
      needed('host', 'Host'),
      field('port', 'Port', { kind: 'number', placeholder: '22' }),
      needed('username', 'User name'),
      secret('password', 'Password'),
      secret('privateKey', 'Private key'),
      field('hostKeyFingerprint', 'Host key', { help: 'As ssh-keygen -l prints it; the first one is stored.' }),
      FOLDER,
    ],
  },
  {
    id: 'ftps',
    label: 'FTP over TLS',
    kind: 'ftp',
    fixed: { protocol: 'ftps' },
    fields: [needed('host', 'Host'), field('port', 'Port', { kind: 'number', placeholder: '21' }), ...LOGIN, FOLDER],
  },
];

/** Settings that say which source a connector reads, and those for the place within it. */
const PLACE_SETTINGS: readonly (readonly [string, string?])[] = [
  ['startUrls'],
  ['sitemaps'],
  ['bucket', 'prefix'],
  ['url'],
  ['host', 'path'],
  ['siteId', 'folder'],
  ['driveId', 'folder'],
  ['folderId'],
  ['sharedDriveId'],
];

/** Returns the address or the name of a connector's source; empty if its settings name none, as for a whole drive. */
export function placeOf({ config }: { config: Readonly<Record<string, unknown>> }): string {
  for (const names of PLACE_SETTINGS) {
    const [place, ...within] = names.map((name) => asText(name === undefined ? undefined : config[name]));
    if (place !== undefined && place !== '') return [place, ...within.filter(Boolean)].join('/');
  }
  return '';
}

const asText = (value: unknown): string =>
  Array.isArray(value) ? value.map(asText).join(', ') : typeof value === 'string' ? value.replace(/^\/+/, '') : '';

/** Schedules to choose from, in cron's form. */
export const SCHEDULES = [
  { value: '', label: 'By hand' },
  { value: '0 * * * *', label: 'Every hour' },
  { value: '0 3 * * *', label: 'Every day at 3:00 UTC' },
  { value: '0 3 * * 1', label: 'Every Monday at 3:00 UTC' },
];
