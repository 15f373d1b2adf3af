import type { FormatReader } from '../parser.ts';
export const reader: FormatReader = { parse: async () => ({ blocks: [], pageCount: null, title: null, warnings: [] }) };
