/**
 * Typed search parameters. In the address every value is plain text, as in `?page=3&q=notice`; a route lists its
 * parameters with a reader each, and values that do not fit are left out.
 */

type Reader<T> = (value: unknown) => T | undefined;

export const text: Reader<string> = (value) => (typeof value === 'string' && value !== '' ? value : undefined);

/** Reads whole numbers from 0 on. */
export const whole: Reader<number> = (value) => {
  const found = typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value;
  return typeof found === 'number' && Number.isInteger(found) && found >= 0 ? found : undefined;
};

/** Reads numbers from 0 to 1. */
export const share: Reader<number> = (value) => {
  const found = value === '' || value === undefined ? Number.NaN : Number(value);
  return found >= 0 && found <= 1 ? found : undefined;
};

/** Reads a switch that is on. */
export const flag: Reader<true> = (value) => (value === '1' || value === true ? true : undefined);

export const oneOf =
  <const V extends string>(...values: readonly V[]): Reader<V> =>
  (value) =>
    values.find((each) => each === value);

/** Returns a `validateSearch` of the parameters. */
export function searchParams<S extends Record<string, Reader<unknown>>>(
  readers: S,
): (raw: Record<string, unknown>) => { [K in keyof S]?: Exclude<ReturnType<S[K]>, undefined> | undefined } {
  return (raw) => {
    const found: Record<string, unknown> = {};
    for (const [name, read] of Object.entries(readers)) {
      const value = read(raw[name]);
      if (value !== undefined) found[name] = value;
    }
    return found as never;
  };
}

/** Writes the parameters of an address; those without a value are left out. */
export function stringifySearch(search: Record<string, string | number | boolean | null | undefined>): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(search)) {
    if (value === undefined || value === null || value === '' || value === false) continue;
    params.set(name, value === true ? '1' : String(value));
  }
  const written = params.toString();
  return written === '' ? '' : `?${written}`;
}

export const parseSearch = (search: string): Record<string, unknown> => Object.fromEntries(new URLSearchParams(search));
