/** Masks of API keys: four dots and the last four characters, or only the dots for a short key. */
const DOTS = '••••';
const SHORTEST_SHOWN = 12;

export const maskKey = (apiKey: string): string =>
  apiKey.length < SHORTEST_SHOWN ? DOTS : `${DOTS}${apiKey.slice(-4)}`;

export const isMask = (value: string): boolean => value.startsWith(DOTS);

/** Returns the place that a sealed API key is bound to. */
export const keyPlace = (configurationId: string): string => `configurations/${configurationId}/apiKey`;
