/**
 * Damages files in ways that find faults in parsers: at random positions (bits, runs, cuts, splices) and with knowledge
 * of the format, since a random bit in packed data only reaches the decompressor. The same seed gives the same file.
 */
import { inflateRawSync } from 'node:zlib';
import { makeZip } from '@quire/parse/archive/testing/make-zip';

/** xorshift32. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = (seed * 2_654_435_761) | 0 || 1;
  }

  /** Returns an integer in 0..limit-1. */
  below(limit: number): number {
    let x = this.#state;
    x ^= x << 13;
    x ^= x >>> 17;
    x ^= x << 5;
    this.#state = x;
    return Math.floor(((x >>> 0) / 2 ** 32) * Math.max(1, limit));
  }

  pick<T>(values: readonly [T, ...T[]]): T {
    return values[this.below(values.length)] ?? values[0];
  }
}

type Mutation = (bytes: Buffer, random: Random) => Buffer;

export function mutate(bytes: Buffer, random: Random): Buffer {
  const mutation: Mutation = random.below(2) === 0 ? anywhere : byFormat(bytes);
  return mutation(Buffer.from(bytes), random);
}

function byFormat(bytes: Buffer): Mutation {
  if (bytes.readUInt32LE(0) === 0x04034b50) return zipMembers;
  if (bytes.subarray(0, 1024).includes('%PDF-')) return pdfObjects;
  if (bytes.readUInt32BE(0) === 0xd0cf11e0) return sectors;
  return bytes.includes(0) ? sectors : tokens;
}

const anywhere: Mutation = (bytes, random) =>
  random.pick<Mutation>([flips, flips, run, cutOff, splice, remove, extremes])(bytes, random);

function flips(bytes: Buffer, random: Random): Buffer {
  for (let left = 1 + random.below(20); left > 0; left -= 1) {
    const at = random.below(bytes.length);
    bytes[at] = (bytes[at] ?? 0) ^ (1 << random.below(8));
  }
  return bytes;
}

function run(bytes: Buffer, random: Random): Buffer {
  const at = random.below(bytes.length);
  return bytes.fill(random.pick([0, 0xff, 0x20, 0x41]), at, Math.min(bytes.length, at + 1 + random.below(200)));
}

const cutOff: Mutation = (bytes, random) => bytes.subarray(0, 1 + random.below(bytes.length));

/** Copies a range of the file to another position. */
function splice(bytes: Buffer, random: Random): Buffer {
  const from = random.below(bytes.length);
  const part = bytes.subarray(from, from + 1 + random.below(2000));
  const to = random.below(bytes.length);
  return Buffer.concat([bytes.subarray(0, to), part, bytes.subarray(to)]);
}

function remove(bytes: Buffer, random: Random): Buffer {
  const from = random.below(bytes.length);
  return Buffer.concat([bytes.subarray(0, from), bytes.subarray(from + 1 + random.below(500))]);
}

/** Writes numbers on which sizes and offsets overflow. */
function extremes(bytes: Buffer, random: Random): Buffer {
  for (let left = 1 + random.below(4); left > 0 && bytes.length > 8; left -= 1) {
    const at = random.below(bytes.length - 4) & ~random.pick([0, 1, 3]);
    bytes.writeInt32LE(random.pick([-1, 0, 1, 0x7fffffff, -0x80000000, 0xffff, 0x10000000]), at);
  }
  return bytes;
}

/** Swaps blocks of 64 or 512 bytes, or damages numbers near the start, where headers and tables are. */
function sectors(bytes: Buffer, random: Random): Buffer {
  if (random.below(3) === 0) {
    const head = extremes(bytes.subarray(0, 2048), random);
    return Buffer.concat([head, bytes.subarray(2048)]);
  }
  const size = random.pick([64, 512]);
  const count = Math.floor(bytes.length / size);
  const [from, to] = [random.below(count) * size, random.below(count) * size];
  bytes.copy(bytes, to, from, from + size);
  return bytes;
}

/** Unpacks the archive, damages a member's content or order, and packs it again with correct sizes and checksums. */
function zipMembers(bytes: Buffer, random: Random): Buffer {
  const members = soundMembers(bytes);
  const victim = members[random.below(members.length)];
  if (victim === undefined) return anywhere(bytes, random);
  const kind = random.below(6);
  if (kind === 0) members.splice(members.indexOf(victim), 1);
  else if (kind === 1) victim.data = members[random.below(members.length)]?.data ?? victim.data;
  else if (victim.data.length > 8) victim.data = (kind === 2 ? anywhere : tokens)(Buffer.from(victim.data), random);
  return makeZip(members);
}

interface Member {
  name: string;
  data: Buffer;
}

/** Returns the members; empty for a file that is already damaged. */
function soundMembers(bytes: Buffer): Member[] {
  try {
    return readMembers(bytes);
  } catch {
    return [];
  }
}

/** Reads the members by the central directory without checks. */
function readMembers(bytes: Buffer): Member[] {
  const members: Member[] = [];
  let at = bytes.lastIndexOf(Buffer.from('504b0506', 'hex'));
  at = at < 0 ? bytes.length : bytes.readUInt32LE(at + 16);
  while (at + 46 <= bytes.length && bytes.readUInt32LE(at) === 0x02014b50) {
    const nameBytes = bytes.readUInt16LE(at + 28);
    const local = bytes.readUInt32LE(at + 42);
    const start = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28);
    const packed = bytes.subarray(start, start + bytes.readUInt32LE(at + 20));
    const name = bytes.toString('utf8', at + 46, at + 46 + nameBytes);
    if (packed.length > 0)
      members.push({ name, data: bytes.readUInt16LE(at + 10) === 8 ? inflateRawSync(packed) : packed });
    at += 46 + nameBytes + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
  }
  return members;
}

/** Swaps the bodies of objects, or damages their numbers and references. */
function pdfObjects(bytes: Buffer, random: Random): Buffer {
  const text = bytes.toString('latin1');
  const bodies = [...text.matchAll(/\bobj\b([^]*?)\bendobj\b/g)];
  const victim = bodies[random.below(bodies.length)];
  if (victim === undefined) return anywhere(bytes, random);
  const body = victim[1] ?? '';
  const other = bodies[random.below(bodies.length)]?.[1] ?? '';
  const changed = random.pick([
    () => other,
    () => '',
    () =>
      body.replace(/\d+ 0 R/g, (reference) =>
        random.below(2) === 0 ? reference : `${random.below(bodies.length)} 0 R`,
      ),
    () => body.replace(/(?<=[\s[])-?\d+(\.\d+)?/g, (number) => (random.below(4) > 0 ? number : oddNumber(random))),
    () => body.replace(/\/[A-Z]\w+/g, (name) => (random.below(5) > 0 ? name : '/Kids')),
    () => anywhere(Buffer.from(body || ' '.repeat(16), 'latin1'), random).toString('latin1'),
  ])();
  const at = victim.index + 3;
  return Buffer.from(text.slice(0, at) + changed + text.slice(at + body.length), 'latin1');
}

const oddNumber = (random: Random): string =>
  random.pick(['-1', '0', '2147483647', '-2147483648', '1e30', '99999999999999999999', '0.0000001', '32768']);

/** Removes, duplicates, nests or replaces a tag or word of markup. */
function tokens(bytes: Buffer, random: Random): Buffer {
  const text = bytes.toString('latin1');
  const found = [...text.matchAll(/<[^<>]{1,200}>|"[^"]{0,60}"|[^\s<>"]+/g)];
  const victim = found[random.below(found.length)];
  if (victim === undefined) return anywhere(bytes, random);
  const [token] = victim;
  const other = found[random.below(found.length)]?.[0] ?? '';
  const changed = random.pick([
    () => '',
    () => token + token,
    () => token.repeat(2000),
    () => other,
    () => `"${oddNumber(random)}"`,
    () => token + other.repeat(50),
    () => `${token}\0\u00ff&#x110000;`,
  ])();
  return Buffer.from(text.slice(0, victim.index) + changed + text.slice(victim.index + token.length), 'latin1');
}
