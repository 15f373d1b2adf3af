/** Returns 128 random bits in hexadecimal. Unlike `crypto.randomUUID` it works on pages over plain HTTP too. */
export const randomName = (): string =>
  [...crypto.getRandomValues(new Uint32Array(4))].map((part) => part.toString(16).padStart(8, '0')).join('');
