/**
 * The inner loops of vector search, in AssemblyScript. `npm run generate` compiles this file to
 * `src/memory/generated/vectors-wasm.ts`. All addresses are in bytes; `src/memory/vector-kernels.ts` passes them.
 *
 * A sketch has one bit per dimension. The score of a row is the sum of the table entries of each four of its bits.
 * Sixteen rows are scored at once, one per byte of a SIMD vector: one instruction looks up a 16-byte table for 16 rows
 * (André, Kermarrec, Le Scouarnec: "Cache locality is not enough", VLDB 2015).
 */

/** Number of rows of a block, which is the number of bytes of a SIMD vector. */
const BLOCK_ROWS: usize = 16;
/** Bytes of each row that one pass scores. */
const PASS_BYTES: usize = 8;

/** Writes the product of the int16 query with each row; `rowBytes` is a multiple of 64. */
export function dots(query: usize, addresses: usize, count: i32, rowBytes: usize, out: usize): void {
  for (let index = 0; index < count; index++) {
    let row = <usize>load<u32>(addresses + (<usize>index << 2));
    const end = row + rowBytes;
    let at = query;
    let sum = i32x4.splat(0);
    do {
      sum = i32x4.add(sum, i32x4.dot_i16x8_s(v128.load(row), v128.load(at)));
      sum = i32x4.add(sum, i32x4.dot_i16x8_s(v128.load(row, 16), v128.load(at, 16)));
      sum = i32x4.add(sum, i32x4.dot_i16x8_s(v128.load(row, 32), v128.load(at, 32)));
      sum = i32x4.add(sum, i32x4.dot_i16x8_s(v128.load(row, 48), v128.load(at, 48)));
      row += 64;
      at += 64;
    } while (row < end);
    const product =
      i32x4.extract_lane(sum, 0) +
      i32x4.extract_lane(sum, 1) +
      i32x4.extract_lane(sum, 2) +
      i32x4.extract_lane(sum, 3);
    store<i32>(out + (<usize>index << 2), product);
  }
}

/**
 * Writes for each block eight scores of the even rows, then eight of the odd rows. Blocks are `step` bytes apart. A
 * block holds the first bytes of its 16 rows, then the second bytes, and so on. A sum of four table entries fits in a
 * byte, because the largest entry is 63. The steps are written out, so that all offsets are immediate.
 */
export function sketches(tables: usize, block: usize, blocks: i32, step: usize, blockBytes: usize, out: usize): void {
  for (let index = 0; index < blocks; index++) {
    const end = block + blockBytes;
    let row = block;
    let entries = tables;
    let even = i16x8.splat(0);
    let odd = i16x8.splat(0);
    do {
      let first = v128.load(row);
      let second = v128.load(row, 16);
      let sum = i8x16.add(
        i8x16.add(i8x16.swizzle(v128.load(entries), low(first)), i8x16.swizzle(v128.load(entries, 16), high(first))),
        i8x16.swizzle(v128.load(entries, 32), low(second)),
      );
      sum = i8x16.add(sum, i8x16.swizzle(v128.load(entries, 48), high(second)));
      even = i16x8.add(even, v128.and(sum, i16x8.splat(0x00ff)));
      odd = i16x8.add(odd, i16x8.shr_u(sum, 8));
      first = v128.load(row, 32);
      second = v128.load(row, 48);
      sum = i8x16.add(
        i8x16.add(i8x16.swizzle(v128.load(entries, 64), low(first)), i8x16.swizzle(v128.load(entries, 80), high(first))),
        i8x16.swizzle(v128.load(entries, 96), low(second)),
      );
      sum = i8x16.add(sum, i8x16.swizzle(v128.load(entries, 112), high(second)));
      even = i16x8.add(even, v128.and(sum, i16x8.splat(0x00ff)));
      odd = i16x8.add(odd, i16x8.shr_u(sum, 8));
      first = v128.load(row, 64);
      second = v128.load(row, 80);
      sum = i8x16.add(
        i8x16.add(i8x16.swizzle(v128.load(entries, 128), low(first)), i8x16.swizzle(v128.load(entries, 144), high(first))),
        i8x16.swizzle(v128.load(entries, 160), low(second)),
      );
      sum = i8x16.add(sum, i8x16.swizzle(v128.load(entries, 176), high(second)));
      even = i16x8.add(even, v128.and(sum, i16x8.splat(0x00ff)));
      odd = i16x8.add(odd, i16x8.shr_u(sum, 8));
      first = v128.load(row, 96);
      second = v128.load(row, 112);
      sum = i8x16.add(
        i8x16.add(i8x16.swizzle(v128.load(entries, 192), low(first)), i8x16.swizzle(v128.load(entries, 208), high(first))),
        i8x16.swizzle(v128.load(entries, 224), low(second)),
      );
      sum = i8x16.add(sum, i8x16.swizzle(v128.load(entries, 240), high(second)));
      even = i16x8.add(even, v128.and(sum, i16x8.splat(0x00ff)));
      odd = i16x8.add(odd, i16x8.shr_u(sum, 8));
      row += PASS_BYTES * BLOCK_ROWS;
      entries += PASS_BYTES * 2 * BLOCK_ROWS;
    } while (row < end);
    v128.store(out, even);
    v128.store(out, odd, 16);
    block += step;
    out += BLOCK_ROWS * 2;
  }
}

/**
 * Writes the positions of the rows whose score is at least `least`, and at `length` their length in bytes. The position
 * of a row is its position in the block times the number of blocks, plus the number of the block. The positions replace
 * the scores of all blocks, which are written there first.
 */
export function nearby(
  tables: usize,
  block: usize,
  blocks: i32,
  least: i32,
  blockBytes: usize,
  out: usize,
  length: usize,
): void {
  sketches(tables, block, blocks, blockBytes, blockBytes, out);
  const limit = i16x8.splat(<i16>least);
  let at = out;
  for (let index = 0; index < blocks; index++) {
    const scores = out + ((<usize>index) << 5);
    const even = i16x8.ge_u(v128.load(scores), limit);
    const odd = i16x8.ge_u(v128.load(scores, 16), limit);
    let bits = i8x16.bitmask(v128.bitselect(even, odd, i16x8.splat(0x00ff)));
    while (bits != 0) {
      store<u16>(at, <u16>(ctz(bits) * blocks + index));
      at += 2;
      bits &= bits - 1;
    }
  }
  store<u32>(length, <u32>(at - out));
}

// @ts-ignore: decorators of functions are part of AssemblyScript only.
@inline
function low(bytes: v128): v128 {
  return v128.and(bytes, i8x16.splat(15));
}

// @ts-ignore: decorators of functions are part of AssemblyScript only.
@inline
function high(bytes: v128): v128 {
  return v128.and(i16x8.shr_u(bytes, 4), i8x16.splat(15));
}
