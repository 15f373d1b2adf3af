/** How paths of requests are matched with declared ones. */

/** Maximum length of a path parameter; up to it a malformed id is a 422 and not an unknown route. */
const MAX_PARAM_LENGTH = 2_048;

export const ROUTER_OPTIONS = { maxParamLength: MAX_PARAM_LENGTH, ignoreTrailingSlash: true } as const;

export const toFastifyPath = (path: string): string => path.replace('{path}', '*').replaceAll(/\{(\w+)\}/g, ':$1');
