import { problem, type Parsed } from './problem.ts';

const GROUP_LENGTHS = [8, 4, 4, 4, 12];

const invalid = (error: string): Parsed<string> =>
  problem('uuid_parsing', `Input should be a valid UUID, ${error}`, { error });

/** Reads a UUID with hyphens, without, in braces or as URN; the value has hyphens and lower case. */
export function parseUuid(value: unknown): Parsed<string> {
  if (typeof value !== 'string') return problem('uuid_type', 'UUID input should be a string, bytes or UUID object');
  if (/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/.test(value)) return { value };
  const braced = value.length > 1 && value.startsWith('{') && value.endsWith('}');
  const prefix = braced ? 1 : value.startsWith('urn:uuid:') ? 9 : 0;
  const core = value.slice(prefix, braced ? -1 : undefined);
  const stranger = /[^0-9a-f-]/iu.exec(core);
  if (stranger !== null) {
    // The reference implementation (the `uuid` crate) does not count the prefix if the rest has the right length.
    const at = stranger.index + (core.length === 36 ? 0 : prefix);
    return invalid(`invalid character: found \`${stranger[0]}\` at ${at}`);
  }
  const groups = core.split('-');
  if (groups.length === 1 && prefix === 0) {
    return core.length === 32 ? { value: hyphenate(core) } : invalid(`invalid length: found ${core.length}`);
  }
  if (groups.length !== 5) return invalid(`invalid group count: expected 5, found ${groups.length}`);
  const wrong = groups.findIndex((group, index) => group.length !== GROUP_LENGTHS[index]);
  if (wrong < 0) return { value: core.toLowerCase() };
  // The reference implementation counts prefix and braces as part of the last group.
  const found = (groups[wrong]?.length ?? 0) + (wrong === 4 ? value.length - core.length : 0);
  return invalid(`invalid group length in group ${wrong}: expected ${GROUP_LENGTHS[wrong]}, found ${found}`);
}

function hyphenate(hex: string): string {
  return hex.toLowerCase().replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
