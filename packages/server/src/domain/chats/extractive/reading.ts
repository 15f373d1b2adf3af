/**
 * Reads texts and keeps what was read: the parts of a question are weighed against the same chunks, each of which is
 * analysed once.
 */
import { analyse as analyseText } from '@quire/text/language/analyse';
import { detectLanguage as detectIn } from '@quire/text/language/detect';

/** Number of texts of which results are kept; up to as many older ones are kept until then. */
const MAX_KEPT = 1_000;

/** Returns the function with its latest results kept by text and language, between `limit` and twice as many. */
export function remembering<Result>(
  work: (text: string, language: string | null) => Result,
  limit: number = MAX_KEPT,
): (text: string, language: string | null) => Result {
  let recent = new Map<string, Result>();
  let older = new Map<string, Result>();
  return (text, language) => {
    const key = `${language ?? ''}\n${text}`;
    const known = recent.get(key) ?? older.get(key);
    const result = known ?? work(text, language);
    if (!recent.has(key)) {
      if (recent.size >= limit) [older, recent] = [recent, new Map()];
      recent.set(key, result);
    }
    return result;
  };
}

/** Returns the terms of a text. */
export const analyse: (text: string, language: string | null) => readonly string[] = remembering(analyseText);

const languages = remembering((): { found?: string | null } => ({}));

/** Returns the language of a text. */
export async function detectLanguage(text: string): Promise<string | null> {
  const known = languages(text, null);
  known.found ??= await detectIn(text);
  return known.found;
}
