import { expect, test } from 'vitest';
import { isLoopbackAddress, isLoopbackName } from './loopback.ts';

test('addresses and names of this machine alone are loopback, and no others', () => {
  const addresses = ['127.0.0.1', '127.8.9.10', '::ffff:127.0.0.1', '::1'];
  expect(addresses.filter((each) => !isLoopbackAddress(each))).toEqual([]);
  expect(['', '10.0.0.1', '::', '::ffff:10.0.0.1', '2001:db8::1'].filter(isLoopbackAddress)).toEqual([]);
  expect(['localhost', 'LOCALHOST', '127.0.0.1', '[::1]', '::1'].filter((each) => !isLoopbackName(each))).toEqual([]);
  const others = ['', 'example.com', 'localhost.example.com', '127.0.0.1.example.com', '10.127.0.0', '[::]'];
  expect(others.filter(isLoopbackName)).toEqual([]);
});
