import type { StructureCheck } from '../../../format-descriptor.ts';
import { corruptFile, tooManyPixels } from '../../../validate/refusals.ts';
import type { ImageMeasure } from './image-size.ts';

/** Refuses an image whose header is damaged, states no area, or states more pixels than the limit. */
export const checkSize =
  (measure: ImageMeasure): StructureCheck =>
  (probe, { maxPixels }) => {
    const size = measure(probe);
    if (size === undefined) return;
    if (size === 'corrupt' || size.width <= 0 || size.height <= 0) {
      throw corruptFile('The image is damaged: its header is invalid');
    }
    const pixels = size.width * size.height;
    if (pixels > maxPixels) throw tooManyPixels(pixels, maxPixels);
  };
