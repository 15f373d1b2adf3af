/** Pictures of pages, with their cache and metrics. */
import type { SandboxClient } from '@quire/process/tasks/sandbox-client';
import { PageDrawing } from '../domain/pages/page-drawing.ts';
import { PagePictures } from '../domain/pages/page-pictures.ts';
import { PictureCache } from '../domain/pages/picture-cache.ts';
import type { Foundation } from './foundation.ts';
import { parseLimits } from './limits.ts';

export function buildPagePictures(
  { config, store, metrics, logger }: Foundation,
  sandbox: SandboxClient,
): PagePictures {
  const cache = new PictureCache({ store, maxBytes: config.limits.pagePictureBytes, now: Date.now });
  metrics.addGauge('quire_page_picture_bytes', 'Size of the stored pictures of pages', [], async () => [
    { value: cache.totalBytes },
  ]);
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
