import { ContentError } from '@quire/blocks/content-error';
import type { SourceFile } from '@quire/parse/parser';
import type { SandboxClient } from '@quire/process/tasks/sandbox-client';
import { RememberedFailures } from '../shared/remembered-failures.ts';
import type { Foundation } from './foundation.ts';
import { parseLimits } from './limits.ts';

const THUMBNAIL_SIDE = 512;

/** Draws the picture of a stored file; null when there is no such file, or no picture of it. */
export type DrawThumbnail = (
  key: string,
  toFile: (path: string) => SourceFile,
  tree: Buffer | null,
) => Promise<Buffer | null>;

export function thumbnailDrawer({ config, store }: Foundation, sandbox: SandboxClient): DrawThumbnail {
  const limits = parseLimits(config);
  const failures = new RememberedFailures(() => performance.now());
  return async (key, toFile, tree) => {
    failures.throwKnown(key);
    const original = await store.checkout(key);
    if (original === undefined) return null;
    const options = { ocr: 'never', ocrLanguages: [], jpegQuality: 85, maxPixels: config.limits.pixels } as const;
    const signal = AbortSignal.timeout(config.processing.parseTimeoutMs);
    try {
      const input = { file: toFile(original.path), options, limits, tree, maxSide: THUMBNAIL_SIDE };
      return await sandbox.thumbnail(input, { signal });
    } catch (error) {
      if (error instanceof ContentError) failures.remember(key, error);
      throw error;
    } finally {
      await original.release();
    }
  };
}
