/** Pictures of pages, with their metrics, and the cache that they share with renderings. */
import type { SandboxClient } from '@quire/process/tasks/sandbox-client';
import { PageDrawing } from '../domain/pages/page-drawing.ts';
import { PagePictures } from '../domain/pages/page-pictures.ts';
import { PictureCache } from '../domain/pages/picture-cache.ts';
import type { Foundation } from './foundation.ts';
import { parseLimits } from './limits.ts';

export function buildPictureCache({ config, store, metrics }: Foundation): PictureCache {
  const cache = new PictureCache({ store, maxBytes: config.limits.pagePictureBytes, now: Date.now });
  metrics.addGauge('quire_page_picture_bytes', 'Size of the stored pictures of pages and renderings', [], async () => [
    { value: cache.totalBytes },
  ]);
  return cache;
}

export function buildPagePictures(
  { config, store, metrics, logger }: Foundation,
  sandbox: SandboxClient,
  cache: PictureCache,
): PagePictures {
  const limits = parseLimits(config);
  return new PagePictures({
    cache,
    drawing: new PageDrawing({ store, cache, sandbox, limits, maxPixels: config.limits.pixels }),
    sandbox,
    now: Date.now,
    observe: (outcome, seconds) => metrics.observePagePicture(outcome, seconds),
    onNotStored: (error) => logger.warn({ err: error }, 'the picture of a page could not be stored'),
  });
}
