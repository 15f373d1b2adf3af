/** A fault of one value with pydantic's `type`, `msg` and `ctx`. */
export interface Problem {
  type: string;
  msg: string;
  ctx?: Record<string, unknown>;
}

export type Parsed<T> = { value: T } | { problem: Problem };

export const problem = (type: string, msg: string, ctx?: Record<string, unknown>): { problem: Problem } => ({
  problem: ctx === undefined ? { type, msg } : { type, msg, ctx },
});

export const MISSING: Problem = { type: 'missing', msg: 'Field required' };

export const valueProblem = (error: string): { problem: Problem } =>
  problem('value_error', `Value error, ${error}`, { error });

/** A value beyond a limit of ours; `ctx.limit` names it. */
export const limitProblem = (limit: number, error: string): { problem: Problem } =>
  problem('value_error', `Value error, ${error}`, { error, limit });

export const plural = (count: number, word: string): string => `${count} ${word}${count === 1 ? '' : 's'}`;

/** Returns `'a', 'b' or 'c'`, the form in which pydantic lists the members of an enumeration. */
export function oneOf(values: readonly unknown[]): string {
  const quoted = values.map((value) => (typeof value === 'string' ? `'${value}'` : String(value)));
  const last = quoted.pop() ?? '';
  return quoted.length === 0 ? last : `${quoted.join(', ')} or ${last}`;
}
