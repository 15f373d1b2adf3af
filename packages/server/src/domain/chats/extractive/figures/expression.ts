/** Evaluates arithmetic over numbers, with the signs + − × ÷ and brackets. */

const TOKEN = /\d+(?:\.\d+)?|[-+−×÷()]/gu;

/** Returns the value; null for a division by zero. Throws on text that is no expression. */
export function evaluate(text: string): number | null {
  const tokens = text.match(TOKEN) ?? [];
  let at = 0;
  const sum = (): number => {
    let value = product();
    while (tokens[at] === '+' || tokens[at] === '−') value += tokens[at++] === '+' ? product() : -product();
    return value;
  };
  const product = (): number => {
    let value = factor();
    while (tokens[at] === '×' || tokens[at] === '÷') value = tokens[at++] === '×' ? value * factor() : value / factor();
    return value;
  };
  const factor = (): number => {
    const token = tokens[at++];
    if (token === '-') return -factor();
    if (token !== '(') return token === undefined ? Number.NaN : Number(token);
    const value = sum();
    at += 1;
    return value;
  };
  const value = sum();
  if (at !== tokens.length) throw new Error(`No arithmetic expression: '${text}'`);
  return Number.isFinite(value) ? value : null;
}
