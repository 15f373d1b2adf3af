/** Conversion between keys of objects and paths of files. */

/** Matches segments that no path may contain, and those that look like their replacement. */
const ODD = /^%*\.{0,2}$/;

/**
 * Returns the path of a key: segments that are empty or dots get a percent sign in front. A null character, which
 * cannot be stored, is replaced.
 */
export const pathOfKey = (key: string): string =>
  key
    .replaceAll('\0', '\uFFFD')
    .split('/')
    .map((segment) => (ODD.test(segment) ? `%${segment}` : segment))
    .join('/');

export const keyOfPath = (path: string): string =>
  path
    .split('/')
    .map((segment) => (ODD.test(segment) ? segment.slice(1) : segment))
    .join('/');

/** Encodes a key for a URL, also the characters that `encodeURIComponent` leaves. */
export const encodeKey = (key: string): string => key.split('/').map(encodeComponent).join('/');

export const encodeComponent = (text: string): string =>
  encodeURIComponent(text).replaceAll(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);

/** Returns whether the key can be requested: segments of dots are resolved in every URL. */
export const isAddressable = (key: string): boolean =>
  !key.includes('\0') && !key.split('/').some((each) => each === '.' || each === '..');
