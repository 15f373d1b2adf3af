/** Configuration of a cloud drive: one schema per service. */
import { z } from 'zod';

const webdavConfig = z.strictObject({
  service: z.literal('webdav'),
  /** Address of the folder to import. */
  url: z.url({ protocol: /^https?$/ }).max(2000),
  username: z.string().min(1).max(256).optional(),
  password: z.string().max(1024).optional(),
});

export const cloudDriveConfig = webdavConfig;

export type WebdavConfig = z.infer<typeof webdavConfig>;
