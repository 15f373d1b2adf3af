/** Decides whether an SPDX licence expression is permitted. */

/** Throws for an expression that is not well formed. */
export function isPermitted(expression: string, isListed: (licence: string) => boolean): boolean {
  const tokens = expression.match(/[()]|[^\s()]+/g) ?? [];
  let next = 0;

  function fail(): never {
    throw new SyntaxError(`'${expression}' is not an SPDX expression`);
  }

  /** Reads operands joined by one operator; AND binds tighter than OR. */
  function chain(operator: 'AND' | 'OR', operand: () => boolean, join: (a: boolean, b: boolean) => boolean): boolean {
    let permitted = operand();
    while (tokens[next] === operator) {
      next += 1;
      permitted = join(permitted, operand());
    }
    return permitted;
  }

  const either = (): boolean => chain('OR', both, (a, b) => a || b);
  const both = (): boolean => chain('AND', single, (a, b) => a && b);

  function single(): boolean {
    const token = tokens[next];
    next += 1;
    if (token === '(') {
      const permitted = either();
      if (tokens[next] !== ')') fail();
      next += 1;
      return permitted;
    }
    if (token === undefined || token === ')' || token === 'AND' || token === 'OR') fail();
    return isListed(token);
  }

  const permitted = either();
  if (next !== tokens.length) fail();
  return permitted;
}
