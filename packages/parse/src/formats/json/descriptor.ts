import { LIGHT_COST, type FormatDescriptor } from '../../format-descriptor.ts';

export const json: FormatDescriptor = {
  family: 'text',
  contentType: 'application/json',
  aliases: ['text/json', 'application/jsonl', 'application/x-ndjson', 'application/x-jsonlines'],
  extensions: ['json', 'jsonl', 'ndjson'],
  signature: {},
  structure: null,
  reader: () => import('./json.ts'),
  thumbnail: 'blocks',
  pages: null,
  cost: LIGHT_COST,
};
