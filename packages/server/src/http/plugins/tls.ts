/** Serves HTTPS with a certificate from files, and reads them again when they change. */
import { readFileSync, statSync } from 'node:fs';
import type { Server as HttpsServer } from 'node:https';
import type { FastifyInstance } from 'fastify';
import type { Logger } from '../../logger.ts';

export interface TlsFiles {
  certFile: string;
  keyFile: string;
}

/** Interval in milliseconds between two checks of the files. Polling also sees renewals through symbolic links. */
const CHECK_MS = 10_000;

export const readCertificate = ({ certFile, keyFile }: TlsFiles): { cert: Buffer; key: Buffer } => ({
  cert: readFileSync(certFile),
  key: readFileSync(keyFile),
});

/** A renewed certificate serves new connections; an unreadable one is logged, and the previous one stays. */
export class CertificateReloader {
  readonly #server: Pick<HttpsServer, 'setSecureContext'>;
  readonly #files: TlsFiles;
  readonly #logger: Logger;
  #seen: string;

  constructor(server: Pick<HttpsServer, 'setSecureContext'>, files: TlsFiles, logger: Logger) {
    this.#server = server;
    this.#files = files;
    this.#logger = logger;
    this.#seen = this.#state();
  }

  check(): void {
    try {
      const state = this.#state();
      if (state === this.#seen) return;
      this.#server.setSecureContext(readCertificate(this.#files));
      this.#seen = state;
      this.#logger.info({ certFile: this.#files.certFile }, 'TLS certificate reloaded');
    } catch (error) {
      this.#logger.error({ err: error, ...this.#files }, 'TLS certificate not reloaded');
    }
  }

  #state(): string {
    return [this.#files.certFile, this.#files.keyFile]
      .map((file) => statSync(file))
      .map(({ ino, size, mtimeMs }) => `${ino}:${size}:${mtimeMs}`)
      .join(' ');
  }
}

/** Checks the files of an HTTPS server until it closes. */
export function watchCertificate(app: FastifyInstance, files: TlsFiles, logger: Logger): void {
  const reloader = new CertificateReloader(app.server as unknown as HttpsServer, files, logger);
  const timer = setInterval(() => reloader.check(), CHECK_MS).unref();
  app.addHook('onClose', async () => clearInterval(timer));
}
