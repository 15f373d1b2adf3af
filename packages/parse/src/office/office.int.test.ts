// large: starts LibreOffice
/** Parses every office file of the robustness samples, if present. Each returns blocks or throws a typed error. */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { finishTree } from '@quire/blocks/finish-tree';
import { toMarkdown } from '@quire/blocks/to-markdown';
import { ContentError } from '@quire/blocks/content-error';
import { readerFor } from '../formats.ts';
import { testContext } from './testing/parse-parts.ts';

const PILE = join(import.meta.dirname, '../../../../../shared/eval/data/robustness/pile');
const FORMATS = ['docx', 'xlsx', 'pptx', 'odt', 'ods', 'odp', 'doc', 'xls', 'ppt'] as const;

describe.skipIf(!existsSync(PILE))('office files of the robustness pile (skipped: ../shared/eval is absent)', () => {
  for (const format of FORMATS) {
    it(`return blocks or throw a typed error: ${format}`, async () => {
      const reader = await readerFor(format);
      const folder = join(PILE, format);
      for (const name of readdirSync(folder)) {
        const path = join(folder, name);
        const file = { path, name, sizeBytes: statSync(path).size, format, contentType: '' };
        const outcome = await reader.parse(file, testContext).then(
          (parsed) => toMarkdown(finishTree(parsed, null)),
          (error: unknown) => error,
        );
        const typed = typeof outcome === 'string' || outcome instanceof ContentError;
        expect(typed, `${name}: ${String(outcome)}`).toBe(true);
        if (/encrypted|(?<!sheet_)password|protected_(?:pass|normal)/i.test(name))
          expect(outcome, name).toMatchObject({ type: 'encrypted' });
      }
    });
  }
});
