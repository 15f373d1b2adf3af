/** Copies the file that a run is to process into the spool folder: the original of a document, or a file at a URL. */
import type { Readable } from 'node:stream';
import type { DocumentRecord } from '../../database/tables.ts';
import type { DocumentContent } from '../../domain/documents/content.ts';
import type { Upload } from '../../domain/documents/types.ts';
import type { RemoteFiles } from '../../domain/runs/remote-files.ts';
import { apiError } from '../../errors.ts';
import { parseFileName } from '../file-name.ts';
import { contentTypeHint, FileTooLarge, spool, type UploadSettings } from '../upload.ts';

export interface SourceFilesDeps {
  content: Pick<DocumentContent, 'artifact'>;
  remoteFiles: Pick<RemoteFiles, 'open'>;
  uploads: UploadSettings;
}

export class SourceFiles {
  readonly #deps: SourceFilesDeps;

  constructor(deps: SourceFilesDeps) {
    this.#deps = deps;
  }

  async ofDocument(record: DocumentRecord): Promise<Upload> {
    const original = await this.#deps.content.artifact(record, 'original');
    const { name, contentType } = original;
    return { ...(await this.#spool(chunksOf(await original.open()), 'id')), name, contentType };
  }

  /** Throws 422 for an address that may not be called or does not answer with a file. */
  async atUrl(url: string, signal: AbortSignal): Promise<Upload> {
    const { remoteFiles, uploads } = this.#deps;
    const { name, contentType, body } = await remoteFiles.open(url, uploads.maxFileBytes, signal);
    const parsed = parseFileName(name);
    const spooled = await this.#spool(body, 'url');
    return { ...spooled, name: 'value' in parsed ? parsed.value : 'file', contentType: contentTypeHint(contentType) };
  }

  async #spool(source: AsyncIterable<Buffer>, input: string) {
    const { uploads } = this.#deps;
    return spool(source, uploads).catch((error: unknown) => {
      if (!(error instanceof FileTooLarge)) throw error;
      throw apiError(413, 'file_too_large', `The file is larger than ${uploads.maxFileBytes} bytes`, { loc: [input] });
    });
  }
}

async function* chunksOf(source: Readable | Buffer): AsyncGenerator<Buffer> {
  if (Buffer.isBuffer(source)) yield source;
  else for await (const chunk of source as AsyncIterable<Buffer>) yield chunk;
}
