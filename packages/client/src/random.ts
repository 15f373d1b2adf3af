/** Returns 128 random bits as a name. Unlike `crypto.randomUUID` it works on pages over plain HTTP too. */
export const randomName = (): string =>
  [...crypto.getRandomValues(new Uint32Array(4))].map((part) => part.toString(36)).join('');
