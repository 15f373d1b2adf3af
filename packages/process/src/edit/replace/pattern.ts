/** Compiles users' regular expressions with RE2, which matches in linear time. */
import { RE2JS } from 're2js';

/**
 * Maximum number of instructions of a compiled pattern. Larger programs (`x{1000}{1000}`) make every character slow.
 */
const MAX_PROGRAM = 20_000;

/** Returns the compiled pattern, or the problem in words. `^` and `$` match at line breaks. */
export function compilePattern(source: string, ignoreCase: boolean): RE2JS | string {
  try {
    const compiled = RE2JS.compile(source, RE2JS.MULTILINE | (ignoreCase ? RE2JS.CASE_INSENSITIVE : 0));
    return compiled.programSize() > MAX_PROGRAM ? 'the pattern is too large' : compiled;
  } catch (error) {
    return `not a pattern of the RE2 syntax: ${error instanceof Error ? error.message : String(error)}`;
  }
}

/** Compiles a pattern that was validated before. */
export function requirePattern(source: string, ignoreCase: boolean): RE2JS {
  const compiled = compilePattern(source, ignoreCase);
  if (typeof compiled === 'string') throw new Error(compiled);
  return compiled;
}
