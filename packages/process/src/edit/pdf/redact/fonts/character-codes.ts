/** Reads character codes of composite fonts: the number of bytes of each and its glyph. */
export interface CharacterCode {
  code: number;
  bytes: number;
}

export type CodeReader = (bytes: Uint8Array) => CharacterCode[];

interface CodeMap {
  codes: CodeReader;
  /** Returns the glyph (CID) of a code; undefined when the predefined table is not available. */
  cid: (code: number) => number | undefined;
}

interface CodeSpace {
  bytes: number;
  low: number;
  high: number;
}

interface CidRange {
  low: number;
  high: number;
  cid: number;
}

/** Returns the reader for an embedded CMap (`map` is its source), otherwise for the predefined CMap `name`. */
export function codeReader(name: string, map: string | undefined): CodeMap {
  if (map !== undefined && map.includes('begincodespacerange')) return embeddedMap(map);
  if (name.startsWith('Identity')) return { codes: inPairs, cid: (code) => code };
  if (name.includes('RKSJ')) return { codes: mixed(isSingleShiftJis), cid: unknownGlyph };
  if (/GB|EUC|B5|KSC|HKscs|CNS/.test(name) && !/UCS2|UTF16/.test(name)) {
    return { codes: mixed((byte) => byte < 0x81), cid: unknownGlyph };
  }
  return { codes: inPairs, cid: unknownGlyph };
}

const unknownGlyph = (): undefined => undefined;
const isSingleShiftJis = (byte: number): boolean => byte <= 0x80 || (byte >= 0xa0 && byte <= 0xdf) || byte >= 0xfd;

function inPairs(bytes: Uint8Array): CharacterCode[] {
  const codes: CharacterCode[] = [];
  for (let at = 0; at < bytes.length; at += 2) {
    codes.push({ code: ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0), bytes: Math.min(2, bytes.length - at) });
  }
  return codes;
}

const mixed =
  (isSingle: (byte: number) => boolean): CodeReader =>
  (bytes) => {
    const codes: CharacterCode[] = [];
    for (let at = 0; at < bytes.length;) {
      const first = bytes[at] ?? 0;
      const length = isSingle(first) ? 1 : Math.min(2, bytes.length - at);
      codes.push({ code: length === 1 ? first : (first << 8) | (bytes[at + 1] ?? 0), bytes: length });
      at += length;
    }
    return codes;
  };

function embeddedMap(map: string): CodeMap {
  const spaces = [...entries(map, 'codespacerange', 2)].map(([low = '', high = '']): CodeSpace => {
    return { bytes: low.length / 2, low: Number.parseInt(low, 16), high: Number.parseInt(high, 16) };
  });
  const ranges: CidRange[] = [];
  for (const [low = '', high = '', cid = ''] of entries(map, 'cidrange', 3)) {
    ranges.push({ low: Number.parseInt(low, 16), high: Number.parseInt(high, 16), cid: Number(cid) });
  }
  for (const [code = '', cid = ''] of entries(map, 'cidchar', 2)) {
    const value = Number.parseInt(code, 16);
    ranges.push({ low: value, high: value, cid: Number(cid) });
  }
  ranges.sort((a, b) => a.low - b.low);
  return {
    codes: (bytes) => inSpaces(bytes, spaces),
    cid: (code) => cidIn(ranges, code) ?? (ranges.length === 0 ? code : 0),
  };
}

/** Yields the operands of `begin<kind> … end<kind>` in groups, with hexadecimal operands without brackets. */
function* entries(map: string, kind: string, group: number): Generator<string[]> {
  for (const [, body = ''] of map.matchAll(new RegExp(`begin${kind}([^]*?)end${kind}`, 'g'))) {
    const operands = [...body.matchAll(/<([0-9a-f\s]*)>|(\d+)/gi)].map(([, hex, decimal]) =>
      (hex ?? decimal ?? '').replace(/\s/g, ''),
    );
    for (let at = 0; at + group <= operands.length; at += group) yield operands.slice(at, at + group);
  }
}

function inSpaces(bytes: Uint8Array, spaces: readonly CodeSpace[]): CharacterCode[] {
  const codes: CharacterCode[] = [];
  const shortest = Math.min(...spaces.map((space) => space.bytes), 4) || 1;
  for (let at = 0; at < bytes.length;) {
    let code = 0;
    let length = 0;
    let known = false;
    while (!known && length < 4 && at + length < bytes.length) {
      code = code * 256 + (bytes[at + length] ?? 0);
      length += 1;
      known = spaces.some((space) => space.bytes === length && isInside(code, space));
    }
    if (!known) length = Math.min(shortest, bytes.length - at);
    codes.push({ code: known ? code : 0, bytes: length });
    at += length;
  }
  return codes;
}

/** A code space is a box: each byte must be within its own bounds. */
function isInside(code: number, { bytes, low, high }: CodeSpace): boolean {
  for (let index = 0; index < bytes; index += 1) {
    const scale = 256 ** index;
    const byte = Math.floor(code / scale) % 256;
    if (byte < Math.floor(low / scale) % 256 || byte > Math.floor(high / scale) % 256) return false;
  }
  return true;
}

function cidIn(ranges: readonly CidRange[], code: number): number | undefined {
  let low = 0;
  let high = ranges.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ranges[middle]?.low ?? 0) <= code) low = middle + 1;
    else high = middle;
  }
  const range = ranges[low - 1];
  return range !== undefined && code <= range.high ? range.cid + code - range.low : undefined;
}
