/** Proves that a regular expression takes linear time, with the automaton checker of `recheck`. */

const TIMEOUT_MS = 20_000;

/** Returns `linear`, or the reason why there is no proof. */
export async function prove(source: string, flags: string): Promise<string> {
  // The binaries of the other back ends are not installed; the checker in JavaScript is.
  process.env['RECHECK_BACKEND'] = 'pure';
  const { checkSync } = await import('recheck');
  const result = checkSync(source, flags.replace('v', 'u'), { checker: 'automaton', timeout: TIMEOUT_MS });
  if (result.status === 'safe') return 'linear';
  if (result.status === 'vulnerable') return `${result.complexity.summary}, for example ${result.attack.pattern}`;
  return `not decided: ${result.error.kind}`;
}
