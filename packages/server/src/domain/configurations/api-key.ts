/** Masks of API keys (four dots and the last four characters, or only the dots for a short key), and sealed keys. */
import type { SecretBox } from '../../shared/secret-box.ts';

const DOTS = '••••';
const SHORTEST_SHOWN = 12;

export const maskKey = (apiKey: string): string =>
  apiKey.length < SHORTEST_SHOWN ? DOTS : `${DOTS}${apiKey.slice(-4)}`;

export const isMask = (value: string): boolean => value.startsWith(DOTS);

/** Returns the place that a sealed API key is bound to. */
export const keyPlace = (configurationId: string): string => `configurations/${configurationId}/apiKey`;

/** Returns the decrypted key of a configuration; undefined if it has none. */
export function openKey(
  secretBox: Pick<SecretBox, 'open'>,
  { id, secrets }: { id: string; secrets: Readonly<Record<string, string>> },
): string | undefined {
  const sealed = secrets['apiKey'];
  return sealed === undefined ? undefined : secretBox.open(sealed, keyPlace(id));
}
