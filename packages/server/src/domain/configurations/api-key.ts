/** How an API key is shown: four dots and its last four characters, or the dots alone when it is short. */
const DOTS = '••••';
const SHORTEST_SHOWN = 12;

export const maskKey = (apiKey: string): string =>
  apiKey.length < SHORTEST_SHOWN ? DOTS : `${DOTS}${apiKey.slice(-4)}`;

export const isMask = (value: string): boolean => value.startsWith(DOTS);

/** What a sealed key is bound to. */
export const keyPlace = (configurationId: string): string => `configurations/${configurationId}/apiKey`;
