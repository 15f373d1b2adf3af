import { EventEmitter } from 'node:events';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { ConnectionLimits } from './connection-limits.ts';

/** A connection without data. */
class Connection extends EventEmitter {
  readonly name: string;
  isOpen = true;
  isServing = false;

  constructor(name: string) {
    super();
    this.name = name;
  }

  destroy(): void {
    this.isOpen = false;
    this.emit('close');
  }
}

function openServer(maxConnections: number) {
  const server = new EventEmitter() as Server;
  const limits = new ConnectionLimits(maxConnections, (socket) => (socket as unknown as Connection).isServing);
  limits.watch(server);
  const connect = (name: string): Connection => {
    const connection = new Connection(name);
    server.emit('connection', connection);
    return connection;
  };
  const identify = (connection: Connection, keyId: string): void =>
    limits.identify(connection as unknown as Socket, keyId);
  return { server, connect, identify };
}

const open = (connections: readonly Connection[]): string[] =>
  connections.filter(({ isOpen }) => isOpen).map(({ name }) => name);

test('connections without a valid key share half; the oldest without a request makes room', () => {
  const { server, connect, identify } = openServer(8);
  expect(server.maxConnections).toBe(8);
  const [known, busy] = ['known', 'busy'].map(connect);
  identify(known!, 'key');
  busy!.isServing = true;
  const idle = ['a', 'b', 'c'].map(connect);
  expect(open(idle)).toEqual(['a', 'b', 'c']);
  const more = ['d', 'e'].map(connect);
  expect(open([known!, busy!, ...idle, ...more])).toEqual(['known', 'busy', 'c', 'd', 'e']);
  for (const connection of [idle[2]!, ...more]) connection.isServing = true;
  connect('f');
  expect(busy!.isOpen).toBe(false);
});

test('a key has a third of the connections; closing one makes room', () => {
  const { connect, identify } = openServer(600);
  const connections = Array.from({ length: 201 }, (_, index) => connect(String(index)));
  for (const connection of connections.slice(0, 200)) identify(connection, 'key');
  identify(connections[0]!, 'key');
  expect(() => identify(connections[200]!, 'key')).toThrow(
    expect.objectContaining({ status: 429, details: [expect.objectContaining({ ctx: { limit: 200 } })] }),
  );
  connections[0]!.destroy();
  identify(connections[200]!, 'key');
  identify(connect('e'), 'other');
});
