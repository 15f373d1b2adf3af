import { expect, test } from 'vitest';
import { PAGE_BYTES, WasmPages } from './wasm-pages.ts';

test('reserved pages are added at once', () => {
  const memory = new WasmPages();
  memory.reserve(500);
  const view = memory.uint8;
  const addresses = Array.from({ length: 500 }, () => memory.allocate());
  expect(new Set(addresses).size).toBe(500);
  expect(memory.uint8).toBe(view);
  expect(Math.max(...addresses) + PAGE_BYTES).toBeLessThanOrEqual(view.length);
});

test('grows rarely, and uses released pages first', () => {
  const memory = new WasmPages();
  const views = new Set<Uint8Array>();
  const addresses = Array.from({ length: 4000 }, () => {
    const address = memory.allocate();
    views.add(memory.uint8);
    return address;
  });
  expect(new Set(addresses).size).toBe(4000);
  expect(views.size).toBeLessThan(50);
  const [released = 0] = addresses;
  memory.release([released]);
  expect(memory.allocate()).toBe(released);
});
