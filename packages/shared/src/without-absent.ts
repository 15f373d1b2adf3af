/** Returns the fields that are not undefined, for calls whose optional fields may be absent but not undefined. */
export function withoutAbsent<T extends object>(fields: T): { [Name in keyof T]?: Exclude<T[Name], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [Name in keyof T]?: Exclude<T[Name], undefined>;
  };
}
