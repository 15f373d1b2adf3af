/**
 * Reads Rich Text Format: paragraphs, headings by style and outline level, lists, tables, links, notes, in any code
 * page.
 */
import { readFileSync } from 'node:fs';
import { ContentError } from '@quire/blocks/content-error';
import type { FormatReader } from '../../parser.ts';
import { nestBelowTitle } from '../../office/build/document-title.ts';
import { RtfReader } from './rtf-reader.ts';
import { readTokens } from './tokens.ts';

export const reader: FormatReader = {
  parse: async (file) => {
    const bytes = readFileSync(file.path);
    if (!bytes.subarray(0, 16).toString('latin1').trimStart().startsWith('{\\rt')) {
      throw new ContentError('corrupt', 'The file is not an RTF document');
    }
    const rtf = new RtfReader();
    const { blocks, title } = nestBelowTitle(rtf.read(readTokens(bytes)));
    return { blocks, pageCount: null, title: /^[?\s]*$/.test(rtf.title) ? title : rtf.title, warnings: [] };
  },
};
