const MAX_NAME_CHARACTERS = 200;

/** Breaks up sequences that resemble the lines around quoted text or the chat template of a model. */
export const breakUp = (text: string): string =>
  text
    .replaceAll('<<<', '‹‹‹')
    .replaceAll('>>>', '›››')
    .replaceAll(/<(\/?)(\||s>|start_of_turn|end_of_turn)/giu, '< $1$2')
    .replaceAll(/\[(\/?)INST\]/giu, '($1INST)');

/** Puts a name or a heading on one line of at most 200 characters, without control characters. */
export function quotedName(name: string): string {
  const line = breakUp(name)
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim();
  return line.length <= MAX_NAME_CHARACTERS
    ? line
    : `${line.slice(0, MAX_NAME_CHARACTERS - 1).replace(/[\ud800-\udbff]$/u, '')}…`;
}
