/**
 * Loaded before all other code in a child process and its threads (`--import`): removes the functions that open
 * connections. A reader or library that follows a link in a hostile file gets an error. This stops honest code that was
 * tricked, but not native code that was taken over.
 */
import dgram from 'node:dgram';
import dns from 'node:dns';
import { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';

function refuse(): never {
  throw new Error('Network access is not possible in the sandbox');
}

function removeFunctions(target: object, names: readonly string[]): void {
  for (const name of names) {
    if (name in target) Object.defineProperty(target, name, { value: refuse, writable: false, configurable: false });
  }
}

// net.connect, http, https, http2, tls and fetch all use this method; TLSSocket inherits it.
removeFunctions(net.Socket.prototype, ['connect']);
removeFunctions(net.Server.prototype, ['listen']);
removeFunctions(dgram.Socket.prototype, ['bind', 'connect', 'send']);
const lookups = [
  'lookup',
  'lookupService',
  'reverse',
  ...Object.keys(dns).filter((name) => name.startsWith('resolve')),
];
for (const target of [dns, dns.promises, dns.Resolver.prototype, dns.promises.Resolver.prototype]) {
  removeFunctions(target, lookups);
}
syncBuiltinESMExports();
