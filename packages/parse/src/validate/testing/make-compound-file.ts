/** Builds compound files for tests, with streams of at least 4 kB at the root, so that none is in the mini stream. */
const SECTOR = 512;
const END_OF_CHAIN = 0xfffffffe;
const FAT_SECTOR = 0xfffffffd;
const FREE = 0xffffffff;

export function makeCompoundFile(streams: Readonly<Record<string, Buffer>>): Buffer {
  const named = Object.entries(streams);
  const directorySectors = Math.ceil(((named.length + 1) * 128) / SECTOR);
  const fat: number[] = [FAT_SECTOR];
  const directory = Buffer.alloc(directorySectors * SECTOR);
  chain(fat, directorySectors);
  // The children of the root are linked through their right siblings.
  writeEntry(directory, 0, 'Root Entry', { type: 5, child: 1, right: FREE, start: END_OF_CHAIN, size: 0 });
  const bodies: Buffer[] = [];
  named.forEach(([name, data], index) => {
    const start = fat.length;
    const sectors = Math.ceil(data.length / SECTOR);
    chain(fat, sectors);
    bodies.push(data, Buffer.alloc(sectors * SECTOR - data.length));
    const right = index + 1 < named.length ? index + 2 : FREE;
    writeEntry(directory, index + 1, name, { type: 2, child: FREE, right, start, size: data.length });
  });
  const fatBytes = Buffer.alloc(SECTOR, 0xff);
  fat.forEach((next, index) => fatBytes.writeUInt32LE(next, index * 4));
  return Buffer.concat([header(), fatBytes, directory, ...bodies]);
}

function chain(fat: number[], sectors: number): void {
  for (let left = sectors; left > 0; left -= 1) fat.push(left === 1 ? END_OF_CHAIN : fat.length + 1);
}

function header(): Buffer {
  const bytes = Buffer.alloc(SECTOR);
  Buffer.from('d0cf11e0a1b11ae1', 'hex').copy(bytes);
  bytes.writeUInt16LE(3, 26);
  bytes.writeUInt16LE(0xfffe, 28);
  bytes.writeUInt16LE(9, 30);
  bytes.writeUInt16LE(6, 32);
  bytes.writeUInt32LE(1, 44);
  bytes.writeUInt32LE(1, 48);
  bytes.writeUInt32LE(4096, 56);
  bytes.writeUInt32LE(END_OF_CHAIN, 60);
  bytes.writeUInt32LE(END_OF_CHAIN, 68);
  bytes.fill(0xff, 76);
  bytes.writeUInt32LE(0, 76);
  return bytes;
}

interface Entry {
  type: number;
  child: number;
  right: number;
  start: number;
  size: number;
}

function writeEntry(directory: Buffer, index: number, name: string, entry: Entry): void {
  const at = index * 128;
  directory.write(name, at, 'utf16le');
  directory.writeUInt16LE((name.length + 1) * 2, at + 64);
  directory[at + 66] = entry.type;
  directory.writeUInt32LE(FREE, at + 68);
  directory.writeUInt32LE(entry.right, at + 72);
  directory.writeUInt32LE(entry.child, at + 76);
  directory.writeUInt32LE(entry.start, at + 116);
  directory.writeUInt32LE(entry.size, at + 120);
}
