/** Configuration of a server of FTP or SFTP. */
import { z } from 'zod';

export const ftpConfig = z
  .strictObject({
    /** `ftps`: FTP over TLS, from the first byte on port 990 and by `AUTH TLS` elsewhere. */
    protocol: z.enum(['ftp', 'ftps', 'sftp']),
    host: z.string().regex(/^[^\s/@]{1,255}$/, 'a host is a name or an address, without a protocol, user or path'),
    port: z.int().min(1).max(65_535).optional(),
    username: z.string().min(1).max(256).optional(),
    password: z.string().max(1024).optional(),
    /** Private key of SSH in the format of OpenSSH or PEM. */
    privateKey: z.string().max(32_768).optional(),
    passphrase: z.string().max(1024).optional(),
    /** SHA-256 of the host key as `ssh-keygen -l` prints it. The key that is seen first is stored here. */
    hostKeyFingerprint: z
      .string()
      .regex(/^SHA256:[A-Za-z0-9+/]{43}$/, "a fingerprint is 'SHA256:' and 43 characters, as `ssh-keygen -l` prints it")
      .optional(),
    /** Folder to import. Default: the folder after the login. */
    path: z.string().max(1024).default(''),
    /** Allows `ftp`, which sends the password and all files unencrypted. */
    allowPlaintext: z.boolean().default(false),
  })
  .refine(({ protocol, allowPlaintext }) => protocol !== 'ftp' || allowPlaintext, {
    path: ['protocol'],
    message: "'ftp' is not encrypted; it needs 'allowPlaintext': true",
  })
  .refine(({ protocol, username }) => protocol !== 'sftp' || username !== undefined, {
    path: ['username'],
    message: "'sftp' needs a user name",
  });

export type FtpConfig = z.infer<typeof ftpConfig>;
