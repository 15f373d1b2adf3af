/** Configuration of a cloud drive: one schema per service. */
import { z } from 'zod';

const webdavConfig = z.strictObject({
  service: z.literal('webdav'),
  /** Address of the folder to import. */
  url: z.url({ protocol: /^https?$/ }).max(2000),
  username: z.string().min(1).max(256).optional(),
  password: z.string().max(1024).optional(),
});

const identifier = z.string().min(1).max(512);
const secret = z.string().min(1).max(8192);

/** The key file of a service account; other fields of it are ignored. */
const serviceAccount = z.object({
  client_email: z.string().min(1).max(512),
  private_key: z.string().min(1).max(16_384),
});

const googleDriveConfig = z
  .strictObject({
    service: z.literal('google_drive'),
    /** Folder to import. Default: the whole shared drive, or the drive of the account. */
    folderId: identifier.optional(),
    sharedDriveId: identifier.optional(),
    serviceAccount: serviceAccount.optional(),
    refreshToken: secret.optional(),
    clientId: identifier.optional(),
    clientSecret: secret.optional(),
  })
  .refine((config) => config.serviceAccount !== undefined || config.refreshToken !== undefined, {
    path: ['serviceAccount'],
    message: "'serviceAccount' or 'refreshToken' is required",
  })
  .refine(
    ({ refreshToken, clientId, clientSecret }) =>
      refreshToken === undefined || (clientId !== undefined && clientSecret !== undefined),
    {
      path: ['clientId'],
      message: "'refreshToken' needs 'clientId' and 'clientSecret'",
    },
  );

const microsoftGraphConfig = z
  .strictObject({
    service: z.literal('microsoft_graph'),
    tenantId: z.string().regex(/^[A-Za-z0-9.-]{1,255}$/, 'a tenant is an id or a domain'),
    clientId: identifier,
    clientSecret: secret,
    /** Site whose document library is imported. */
    siteId: identifier.optional(),
    driveId: identifier.optional(),
    /** Path of the folder in the drive. Default: the whole drive. */
    folder: z.string().max(1024).default(''),
    /** Whether the readers of each file are listed, which takes a request for every 20 files. */
    permissions: z.boolean().default(true),
  })
  .refine(({ siteId, driveId }) => siteId !== undefined || driveId !== undefined, {
    path: ['driveId'],
    message: "'siteId' or 'driveId' is required",
  });

export const cloudDriveConfig = z.discriminatedUnion('service', [
  webdavConfig,
  googleDriveConfig,
  microsoftGraphConfig,
]);

export type WebdavConfig = z.infer<typeof webdavConfig>;
export type GoogleDriveConfig = z.infer<typeof googleDriveConfig>;
export type MicrosoftGraphConfig = z.infer<typeof microsoftGraphConfig>;

export type CloudDriveConfig = z.infer<typeof cloudDriveConfig>;
