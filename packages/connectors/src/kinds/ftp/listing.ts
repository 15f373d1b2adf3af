/** Listing of one folder by FTP: detects lists that are cut, and makes versions of files. */
import { FileType, type FileInfo } from 'basic-ftp';
import { FTPError } from 'basic-ftp';
import { ListingFailed } from '../../connector-error.ts';
import type { Existence, SourceEntry } from '../../connector.ts';
import type { FtpSession } from './session.ts';

/**
 * Age up to which the time of a list may be too coarse to show a change, in milliseconds: lists have minutes in the
 * time zone of the server.
 */
const YOUNG_MS = 38 * 60 * 60 * 1000;

export type ListedFile = Pick<SourceEntry, 'version' | 'sizeBytes' | 'modifiedAt'>;

/** Returns the number of lines of a list that name a file or folder. */
function linesOf(text: string): number {
  return text
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '' && !/^total \d+/i.test(line))
    .filter((line) => !/\s\.{1,2}$/.test(line) && !/\btype=[cp]dir;/i.test(line)).length;
}

/** Lists a folder after a change into it: a server answers for a missing folder as for an empty one. */
export async function listFolder(
  session: FtpSession,
  absolute: string,
  folder: string,
  signal: AbortSignal,
): Promise<readonly FileInfo[]> {
  const { client } = session;
  try {
    await session.run(signal, () => client.cd(absolute));
  } catch (error) {
    if (error instanceof FTPError) throw new ListingFailed(folder, `the folder cannot be opened: ${error.message}`);
    throw error;
  }
  const parse = client.parseList;
  let lines = 0;
  client.parseList = (text) => {
    lines = linesOf(text);
    return parse(text);
  };
  try {
    const entries = await session.run(signal, () => client.list());
    if (/truncat/i.test(session.replies)) throw new ListingFailed(folder, 'the server cut the list of the folder');
    if (entries.length < lines)
      throw new ListingFailed(folder, `${lines - entries.length} lines of the list are not legible`);
    return entries;
  } catch (error) {
    if (error instanceof FTPError) throw new ListingFailed(folder, `the folder cannot be listed: ${error.message}`);
    throw error;
  } finally {
    client.parseList = parse;
  }
}

export const isFile = ({ type }: FileInfo): boolean => type === FileType.File;
export const isFolder = ({ type }: FileInfo): boolean => type === FileType.Directory;

/**
 * Returns the version of a file: time and size. The time of a list without seconds is completed by MDTM while the file
 * is young, as a change within the same minute would be missed.
 */
export async function describeFile(
  session: FtpSession,
  info: FileInfo,
  absolute: string,
  signal: AbortSignal,
): Promise<ListedFile> {
  const { size, rawModifiedAt, modifiedAt } = info;
  if (modifiedAt !== undefined) return { version: `${modifiedAt.toISOString()} ${size}`, sizeBytes: size, modifiedAt };
  if (!session.features.has('MDTM') || !isYoung(rawModifiedAt)) {
    return { version: `${rawModifiedAt} ${size}`, sizeBytes: size };
  }
  const time = await timeOf(session, absolute, signal);
  if (time === null) return { version: `${rawModifiedAt} ${size}`, sizeBytes: size };
  return { version: `${time.toISOString()} ${size}`, sizeBytes: size, modifiedAt: time };
}

/** Returns the time of a file; null if the server does not report it. */
export async function timeOf(session: FtpSession, absolute: string, signal: AbortSignal): Promise<Date | null> {
  try {
    return await session.run(signal, () => session.client.lastMod(absolute));
  } catch (error) {
    if (error instanceof FTPError) return null;
    throw error;
  }
}

/** Returns whether a file exists that no list contains: a refusal of its size shows that it is gone. */
export async function sizeOf(session: FtpSession, absolute: string, signal: AbortSignal): Promise<Existence> {
  try {
    await session.run(signal, () => session.client.size(absolute));
    return 'present';
  } catch (error) {
    if (!(error instanceof FTPError)) throw error;
    const isUnknownCommand = [500, 502, 504].includes(error.code);
    return isUnknownCommand || (error.code === 550 && !isPermission(error)) ? 'absent' : 'unknown';
  }
}

export const isPermission = ({ message }: FTPError): boolean =>
  /permission|denied|not allowed|forbidden/i.test(message);

/** Lists show the time of day, and no year, for files of the last months. */
function isYoung(raw: string, now: number = Date.now()): boolean {
  if (!/\d{1,2}:\d{2}/.test(raw)) return false;
  const date = Date.parse(/\b\d{4}\b/.test(raw) ? `${raw} UTC` : `${raw} ${new Date(now).getUTCFullYear()} UTC`);
  return Number.isNaN(date) || Math.abs(now - date) < YOUNG_MS;
}

/** Returns the facts of a file by MLST; null if the server has no such command. Rejects with `FTPError` for no file. */
export async function factsOf(session: FtpSession, absolute: string, signal: AbortSignal): Promise<ListedFile | null> {
  if (!session.features.has('MLST')) return null;
  const { message } = await session.run(signal, () => session.client.send(`MLST ${absolute}`));
  const lines = message.split(/\r?\n/).map((line) => line.trimStart());
  const facts = lines.find((line) => /^[\w.-]+=/.test(line))?.split('; ', 1)[0] ?? '';
  const fact = (name: string): string | undefined =>
    facts
      .split(';')
      .find((each) => each.toLowerCase().startsWith(`${name}=`))
      ?.slice(name.length + 1);
  const [size, modify] = [fact('size'), fact('modify')];
  const time = /^(\d{4})(\d{2})(\d{2})(\d{2})(\d{2})(\d{2})/.exec(modify ?? '');
  if (size === undefined || time === null) return null;
  const [, year, month, day, hour, minute, second] = time.map(Number) as [0, ...number[]];
  const modifiedAt = new Date(Date.UTC(year ?? 0, (month ?? 1) - 1, day, hour, minute, second));
  return { version: `${modifiedAt.toISOString()} ${size}`, sizeBytes: Number(size), modifiedAt };
}
