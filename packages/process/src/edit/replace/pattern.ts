/** Users' regular expressions, in linear time by RE2. */
import { RE2JS } from 're2js';

/** Programs of more instructions (`x{1000}{1000}`) would make every character slow. */
const MAX_PROGRAM = 20_000;

/** The compiled pattern, or what is wrong with it. `^` and `$` match at line breaks. */
export function compilePattern(source: string, ignoreCase: boolean): RE2JS | string {
  try {
    const compiled = RE2JS.compile(source, RE2JS.MULTILINE | (ignoreCase ? RE2JS.CASE_INSENSITIVE : 0));
    return compiled.programSize() > MAX_PROGRAM ? 'the pattern is too large' : compiled;
  } catch (error) {
    return `not a pattern of the RE2 syntax: ${error instanceof Error ? error.message : String(error)}`;
  }
}

/** The same for a pattern that was checked before. */
export function requirePattern(source: string, ignoreCase: boolean): RE2JS {
  const compiled = compilePattern(source, ignoreCase);
  if (typeof compiled === 'string') throw new Error(compiled);
  return compiled;
}
