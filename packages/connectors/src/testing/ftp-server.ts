/** A small FTP server over a tree in memory, with faults. Only imported by tests. */
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import type { Fault } from '../conformance/source.ts';

interface StoredFile {
  bytes: Buffer;
  time: Date;
}

export interface FtpServer {
  port: number;
  files: Map<string, StoredFile>;
  fault: Fault | null;
  /** Whether lists are those of MLSD, or of `ls`. */
  hasMlsd: boolean;
  hasEpsv: boolean;
  /** Address in replies to PASV. */
  passiveAddress: string;
  /** Text after the code of the reply to a list. */
  listReply: string;
  /** Reply to SIZE for every file; null for the size. */
  sizeReply: string | null;
  /** Lines that are added to each list of `ls`. */
  extraLines: string[];
  commands: string[];
  write(path: string, bytes: Buffer): void;
  close(): Promise<void>;
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

const stamp = (time: Date): string => time.toISOString().replaceAll(/[-:T]|\..*/g, '');

/** Prints a time as `ls` does: with the time of day for recent files, else with the year. */
function listTime(time: Date): string {
  const day = `${MONTHS[time.getUTCMonth()]} ${String(time.getUTCDate()).padStart(2)}`;
  const isRecent = Date.now() - time.getTime() < 180 * 86_400_000;
  return isRecent ? `${day} ${time.toISOString().slice(11, 16)}` : `${day}  ${time.getUTCFullYear()}`;
}

class FtpControl {
  readonly #server: FtpServer;
  readonly #socket: Socket;
  #folder = '';
  #data: Server | null = null;
  #connection: Promise<Socket> | null = null;
  #listed = 0;

  constructor(server: FtpServer, socket: Socket) {
    this.#server = server;
    this.#socket = socket;
    let rest = '';
    socket.on('error', () => undefined);
    socket.on('close', () => this.#data?.close());
    socket.on('data', (part: Buffer) => {
      const lines = `${rest}${part.toString()}`.split('\r\n');
      rest = lines.pop() ?? '';
      for (const line of lines) void this.#command(line);
    });
    this.#reply('220 ready');
  }

  #reply(text: string): void {
    this.#socket.write(`${text}\r\n`);
  }

  async #command(line: string): Promise<void> {
    const { fault, commands } = this.#server;
    commands.push(line);
    const [name = '', ...rest] = line.split(' ');
    const argument = rest.join(' ');
    if (fault?.kind === 'credentials') return this.#reply('530 not logged in');
    if (fault?.kind === 'unavailable') return this.#reply('421 too many users, try again later');
    switch (name.toUpperCase()) {
      case 'USER':
        return this.#reply('331 password');
      case 'PASS':
        return this.#reply(argument === 'wrong' ? '530 login incorrect' : '230 welcome');
      case 'FEAT':
        return this.#reply(
          `211-features\r\n MDTM\r\n SIZE\r\n${this.#server.hasMlsd ? ' MLST size*;modify*;type*;\r\n' : ''} UTF8\r\n211 end`,
        );
      case 'PWD':
        return this.#reply(`257 "/${this.#folder}"`);
      case 'CWD':
        return this.#changeFolder(argument.replace(/^\/|\/$/g, ''));
      case 'EPSV':
        return this.#server.hasEpsv ? this.#passive(true) : this.#reply('500 unknown command');
      case 'PASV':
        return this.#passive(false);
      case 'MLSD':
      case 'LIST':
        return this.#send(this.#list(name.toUpperCase() === 'MLSD'), this.#server.listReply);
      default:
        return this.#fileCommand(name.toUpperCase(), argument.replace(/^\//, ''));
    }
  }

  #changeFolder(folder: string): void {
    const { fault, files } = this.#server;
    const isMissing = fault?.kind === 'missing-root' || (fault?.kind === 'folder' && fault.folder === folder);
    const exists = folder === '' || [...files.keys()].some((path) => path.startsWith(`${folder}/`));
    if (isMissing || !exists) return this.#reply('550 no such folder');
    this.#folder = folder;
    this.#reply('250 changed');
  }

  async #fileCommand(name: string, path: string): Promise<void> {
    const file = this.#server.files.get(path);
    if (!['SIZE', 'MDTM', 'MLST', 'RETR'].includes(name)) return this.#reply('200 done');
    const { sizeReply } = this.#server;
    if (name === 'SIZE' && sizeReply !== null) return this.#reply(sizeReply);
    if (file === undefined) return this.#reply('550 no such file');
    const { fault } = this.#server;
    if (name === 'SIZE') return this.#reply(`213 ${file.bytes.length}`);
    if (name === 'MDTM') return this.#reply(`213 ${stamp(file.time)}`);
    if (name === 'MLST') {
      if (!this.#server.hasMlsd) return this.#reply('500 unknown command');
      return this.#reply(
        `250-facts\r\n type=file;size=${file.bytes.length};modify=${stamp(file.time)}; /${path}\r\n250 end`,
      );
    }
    if (fault?.kind === 'file' && fault.path === path) return this.#reply('550 permission denied');
    return this.#send(file.bytes, 'complete');
  }

  async #passive(isExtended: boolean): Promise<void> {
    this.#data?.close();
    const data = createServer();
    this.#data = data;
    this.#connection = new Promise((resolve) => data.once('connection', resolve));
    await new Promise<void>((resolve) => data.listen(0, '127.0.0.1', resolve));
    const { port } = data.address() as AddressInfo;
    if (isExtended) return this.#reply(`229 extended (|||${port}|)`);
    const address = this.#server.passiveAddress.replaceAll('.', ',');
    this.#reply(`227 passive (${address},${port >> 8},${port & 255})`);
  }

  async #send(bytes: Buffer, reply: string): Promise<void> {
    const socket = await this.#connection;
    if (socket === null) return this.#reply('425 no data connection');
    socket.on('error', () => undefined);
    this.#reply('150 here it comes');
    const { fault } = this.#server;
    if (fault?.kind === 'cut' && this.#listed > fault.afterEntries) {
      socket.write(bytes.subarray(0, bytes.length / 2), () => {
        socket.destroy();
        this.#socket.destroy();
      });
      return;
    }
    socket.end(bytes, () => this.#reply(`226 ${reply}`));
  }

  #list(isMlsd: boolean): Buffer {
    const prefix = this.#folder === '' ? '' : `${this.#folder}/`;
    const folders = new Set<string>();
    const lines: string[] = isMlsd ? [] : ['total 7', ...this.#server.extraLines];
    const { fault } = this.#server;
    for (const [path, { bytes, time }] of this.#server.files) {
      if (!path.startsWith(prefix) || (fault?.kind === 'hidden' && fault.path === path)) continue;
      const [name = '', below] = path.slice(prefix.length).split('/', 2);
      if (below !== undefined) folders.add(name);
      else if (isMlsd) lines.push(`type=file;size=${bytes.length};modify=${stamp(time)}; ${name}`);
      else
        lines.push(`-rw-r--r--    1 ftp      ftp      ${String(bytes.length).padStart(8)} ${listTime(time)} ${name}`);
    }
    for (const name of folders) {
      lines.push(
        isMlsd
          ? `type=dir;modify=20260101000000; ${name}`
          : `drwxr-xr-x    2 ftp      ftp          4096 Jan  1  2020 ${name}`,
      );
    }
    this.#listed += lines.length;
    return Buffer.from(lines.map((line) => `${line}\r\n`).join(''));
  }
}

export async function startFtpServer(): Promise<FtpServer> {
  const sockets = new Set<Socket>();
  const listener = createServer((socket) => {
    sockets.add(socket);
    void new FtpControl(server, socket);
  });
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  let writes = 0;
  const server: FtpServer = {
    port: (listener.address() as AddressInfo).port,
    files: new Map(),
    fault: null,
    hasMlsd: true,
    hasEpsv: true,
    passiveAddress: '127.0.0.1',
    listReply: 'complete',
    sizeReply: null,
    extraLines: [],
    commands: [],
    write(path, bytes) {
      writes += 1;
      server.files.set(path, { bytes, time: new Date(Date.UTC(2026, 0, 1, 0, 0, writes)) });
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => listener.close(resolve));
    },
  };
  return server;
}
