/** Checks names of files and documents. They are shown, logged and sent in headers, but never used as a path. */
import { INPUT_LIMITS } from '@quire/shared/input-limits';
import { field, type Field } from '../validation/fields.ts';
import { valueProblem, type Parsed } from '../validation/problem.ts';
import { parseText } from '../validation/text.ts';

const MAX_NAME_LENGTH = INPUT_LIMITS.documentName.max;
/** Control characters, line separators and marks that change the reading order (`exe.jpg` shown as `gpj.exe`). */
const FORBIDDEN = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;

/** Reads the name of a document. */
export function parseName(value: unknown): Parsed<string> {
  const parsed = parseText(value, { min: 1, max: MAX_NAME_LENGTH });
  if ('problem' in parsed) return parsed;
  if (FORBIDDEN.test(parsed.value)) return valueProblem('control characters are not allowed in names');
  if (parsed.value.trim() === '') return valueProblem('the name is blank');
  return parsed;
}

/** Reads the name that a client sent with a file, without its folders. */
export function parseFileName(value: string): Parsed<string> {
  const name = value.split(/[/\\]/).at(-1) ?? '';
  if (name === '' || name === '.' || name === '..') return valueProblem('the file name is empty');
  return parseName(name);
}

export const documentName = (): Field<string> =>
  field(parseName, { type: 'string', minLength: 1, maxLength: MAX_NAME_LENGTH });
