import { LIGHT_COST, type FormatDescriptor } from '../../format-descriptor.ts';

export const ppt: FormatDescriptor = {
  family: 'slides',
  contentType: 'application/vnd.ms-powerpoint',
  aliases: [],
  extensions: ['ppt'],
  signature: { compound: { streams: ['powerpoint document', 'pp97_dualstorage'] } },
  structure: null,
  reader: () => import('./ppt.ts'),
  thumbnail: 'office',
  pages: null,
  cost: LIGHT_COST,
};
