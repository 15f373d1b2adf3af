/**
 * Sums rows of a static embedding model, in AssemblyScript. `npm run generate` compiles this file to
 * `src/local/static/generated/token-sums-wasm.ts`. All addresses are in bytes.
 *
 * A row is a float32 scale with padding to 16 bytes, followed by one int8 per dimension.
 */

/** The scale of a row with its padding. */
const ROW_HEAD: usize = 16;

/** Writes the float32 sum of the rows at `count` addresses, at least one. `stride` is a multiple of 16. */
export function sum(addresses: usize, count: i32, stride: usize, out: usize): void {
  const end = addresses + (<usize>count << 2);
  let from: usize = 0;
  for (; from + 64 <= stride; from += 64) sum64(addresses, end, ROW_HEAD + from, out + (from << 2));
  for (; from < stride; from += 16) sum16(addresses, end, ROW_HEAD + from, out + (from << 2));
}

/** Sums 64 dimensions of all rows in registers. */
function sum64(at: usize, end: usize, offset: usize, out: usize): void {
  let s0 = f32x4.splat(0);
  let s1 = f32x4.splat(0);
  let s2 = f32x4.splat(0);
  let s3 = f32x4.splat(0);
  let s4 = f32x4.splat(0);
  let s5 = f32x4.splat(0);
  let s6 = f32x4.splat(0);
  let s7 = f32x4.splat(0);
  let s8 = f32x4.splat(0);
  let s9 = f32x4.splat(0);
  let s10 = f32x4.splat(0);
  let s11 = f32x4.splat(0);
  let s12 = f32x4.splat(0);
  let s13 = f32x4.splat(0);
  let s14 = f32x4.splat(0);
  let s15 = f32x4.splat(0);
  do {
    const row = <usize>load<u32>(at);
    const scale = v128.load32_splat(row);
    const bytes = row + offset;
    let wide = v128.load8x8_s(bytes);
    s0 = f32x4.add(s0, scaled(i32x4.extend_low_i16x8_s(wide), scale));
    s1 = f32x4.add(s1, scaled(i32x4.extend_high_i16x8_s(wide), scale));
    wide = v128.load8x8_s(bytes, 8);
    s2 = f32x4.add(s2, scaled(i32x4.extend_low_i16x8_s(wide), scale));
    s3 = f32x4.add(s3, scaled(i32x4.extend_high_i16x8_s(wide), scale));
    wide = v128.load8x8_s(bytes, 16);
    s4 = f32x4.add(s4, scaled(i32x4.extend_low_i16x8_s(wide), scale));
    s5 = f32x4.add(s5, scaled(i32x4.extend_high_i16x8_s(wide), scale));
    wide = v128.load8x8_s(bytes, 24);
    s6 = f32x4.add(s6, scaled(i32x4.extend_low_i16x8_s(wide), scale));
    s7 = f32x4.add(s7, scaled(i32x4.extend_high_i16x8_s(wide), scale));
    wide = v128.load8x8_s(bytes, 32);
    s8 = f32x4.add(s8, scaled(i32x4.extend_low_i16x8_s(wide), scale));
    s9 = f32x4.add(s9, scaled(i32x4.extend_high_i16x8_s(wide), scale));
    wide = v128.load8x8_s(bytes, 40);
    s10 = f32x4.add(s10, scaled(i32x4.extend_low_i16x8_s(wide), scale));
    s11 = f32x4.add(s11, scaled(i32x4.extend_high_i16x8_s(wide), scale));
    wide = v128.load8x8_s(bytes, 48);
    s12 = f32x4.add(s12, scaled(i32x4.extend_low_i16x8_s(wide), scale));
    s13 = f32x4.add(s13, scaled(i32x4.extend_high_i16x8_s(wide), scale));
    wide = v128.load8x8_s(bytes, 56);
    s14 = f32x4.add(s14, scaled(i32x4.extend_low_i16x8_s(wide), scale));
    s15 = f32x4.add(s15, scaled(i32x4.extend_high_i16x8_s(wide), scale));
    at += 4;
  } while (at < end);
  v128.store(out, s0);
  v128.store(out, s1, 16);
  v128.store(out, s2, 32);
  v128.store(out, s3, 48);
  v128.store(out, s4, 64);
  v128.store(out, s5, 80);
  v128.store(out, s6, 96);
  v128.store(out, s7, 112);
  v128.store(out, s8, 128);
  v128.store(out, s9, 144);
  v128.store(out, s10, 160);
  v128.store(out, s11, 176);
  v128.store(out, s12, 192);
  v128.store(out, s13, 208);
  v128.store(out, s14, 224);
  v128.store(out, s15, 240);
}

/** Sums 16 dimensions of all rows in registers. */
function sum16(at: usize, end: usize, offset: usize, out: usize): void {
  let s0 = f32x4.splat(0);
  let s1 = f32x4.splat(0);
  let s2 = f32x4.splat(0);
  let s3 = f32x4.splat(0);
  do {
    const row = <usize>load<u32>(at);
    const scale = v128.load32_splat(row);
    const bytes = row + offset;
    let wide = v128.load8x8_s(bytes);
    s0 = f32x4.add(s0, scaled(i32x4.extend_low_i16x8_s(wide), scale));
    s1 = f32x4.add(s1, scaled(i32x4.extend_high_i16x8_s(wide), scale));
    wide = v128.load8x8_s(bytes, 8);
    s2 = f32x4.add(s2, scaled(i32x4.extend_low_i16x8_s(wide), scale));
    s3 = f32x4.add(s3, scaled(i32x4.extend_high_i16x8_s(wide), scale));
    at += 4;
  } while (at < end);
  v128.store(out, s0);
  v128.store(out, s1, 16);
  v128.store(out, s2, 32);
  v128.store(out, s3, 48);
}

// @ts-ignore: decorators of functions are part of AssemblyScript only.
@inline
function scaled(values: v128, scale: v128): v128 {
  return f32x4.mul(f32x4.convert_i32x4_s(values), scale);
}
