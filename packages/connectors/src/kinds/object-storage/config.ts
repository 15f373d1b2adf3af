/** Configuration of a bucket. */
import { z } from 'zod';

export const objectStorageConfig = z.strictObject({
  bucket: z
    .string()
    .regex(
      /^[a-zA-Z0-9][a-zA-Z0-9._-]{1,254}$/,
      'a bucket has 2 to 255 letters, digits, dots, hyphens and underscores, and no address or path',
    ),
  /** Only objects whose key begins with it. */
  prefix: z.string().max(1024).default(''),
  /** Used in the host name of the default endpoint. */
  region: z
    .string()
    .regex(/^[a-z0-9-]{1,40}$/, 'a region has lower-case letters, digits and hyphens')
    .default('us-east-1'),
  /** Address of any service with the S3 API. Default: Amazon S3 in the region. */
  endpoint: z.url({ protocol: /^https?$/ }).optional(),
  /** Default: true with an endpoint, false without. */
  forcePathStyle: z.boolean().optional(),
  /** Without keys, requests are anonymous. */
  accessKeyId: z.string().min(1).max(256).optional(),
  secretAccessKey: z.string().min(1).max(1024).optional(),
  sessionToken: z.string().min(1).max(8192).optional(),
});

export type ObjectStorageConfig = z.infer<typeof objectStorageConfig>;
