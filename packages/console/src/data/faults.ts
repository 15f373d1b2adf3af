import { QuireError } from '@quire/client';

/** Returns the messages of an error at a field of the request, or inside its value; undefined if there are none. */
export function faultAt(error: unknown, field: string): string | undefined {
  const details = error instanceof QuireError ? error.detail : [];
  const messages = details.flatMap(({ loc, msg }) => {
    const place = loc.slice(1).join('.');
    return place === field || place.startsWith(`${field}.`) ? [msg] : [];
  });
  return messages.length === 0 ? undefined : messages.join('; ');
}
