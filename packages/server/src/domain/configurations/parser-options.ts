import type { Kysely } from 'kysely';
import type { CollectionRecord, Database } from '../../database/tables.ts';
import type { ParseOptions } from '../../pipeline/parse/parser.ts';

/** Tesseract's code for English, the one language whose data is always there. */
const DEFAULT_LANGUAGES = ['eng'];

/** How the built-in parser is to read a collection's files: its parser configuration over the defaults. */
export async function parseOptionsFor(
  database: Kysely<Database>,
  collection: CollectionRecord,
  maxPixels: number,
): Promise<ParseOptions> {
  const parser = await database
    .selectFrom('configurations')
    .select('config')
    .where('workspace_id', '=', collection.workspace_id)
    .where('id', '=', collection.parser_id)
    .executeTakeFirst();
  return toParseOptions(parser?.config ?? {}, maxPixels);
}

/** A parser configuration over the defaults; `maxPixels` is the service's own limit. */
export function toParseOptions(config: object, maxPixels: number): ParseOptions {
  const { ocr, languages, jpegQuality, maxPixels: pixels } = config as Partial<Record<string, unknown>>;
  return {
    ocr: ocr === 'always' || ocr === 'never' ? ocr : 'auto',
    ocrLanguages: Array.isArray(languages) && languages.length > 0 ? languages.map(String) : DEFAULT_LANGUAGES,
    jpegQuality: typeof jpegQuality === 'number' ? jpegQuality : 85,
    maxPixels: typeof pixels === 'number' ? Math.min(pixels, maxPixels) : maxPixels,
  };
}
