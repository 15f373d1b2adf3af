/** Gives each command its client, output and signal. */
import type { Collection, Quire } from '@quire/client';
import { CommandError } from './exit-code.ts';
import { Output, type Stream } from './output.ts';
import { resolveProfile, type Profile } from './profiles.ts';

/** The process as commands see it; tests pass their own. */
export interface Io {
  stdin: NodeJS.ReadableStream & { isTTY?: boolean };
  stdout: Stream;
  stderr: Stream;
  env: Record<string, string | undefined>;
  /** Aborted by Ctrl-C. */
  signal: AbortSignal;
}

export interface GlobalOptions {
  json?: boolean;
  text?: boolean;
  profile?: string;
}

export interface Context {
  io: Io;
  output: Output;
  signal: AbortSignal;
  profile: Profile;
  quire: Quire;
}

export function outputOf(io: Io, { json, text }: GlobalOptions): Output {
  return new Output({ ...io, json: json === true ? true : text === true ? false : undefined });
}

export async function createContext(io: Io, options: GlobalOptions): Promise<Context> {
  const profile = await resolveProfile(io.env, options.profile);
  const { Quire: Client } = await import('@quire/client');
  const client = new Client({ url: profile.url, key: profile.key });
  const quire = profile.workspaceId === undefined ? client : client.workspace(profile.workspaceId);
  return { io, output: outputOf(io, options), signal: io.signal, profile, quire };
}

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

export const isId = (text: string): boolean => UUID.test(text);

/** Returns the collection of this name or id, or undefined. Throws if several have the name. */
export async function findCollection({ quire, signal }: Context, nameOrId: string): Promise<Collection | undefined> {
  if (isId(nameOrId)) return quire.collections.get(nameOrId, { signal });
  const found = (await quire.collections.list({ limit: 100, signal }).all()).filter(({ name }) => name === nameOrId);
  if (found.length > 1) {
    const ids = found.map(({ id }) => id).join(', ');
    throw new CommandError(`${found.length} collections have the name ${nameOrId}`, {
      exitCode: 2,
      next: `Name one by its id: ${ids}`,
    });
  }
  return found[0];
}

/** Returns the collection that the option, else the profile, names. Throws if there is none. */
export async function chosenCollection(context: Context, option: string | undefined): Promise<Collection> {
  const name = option ?? context.profile.collection;
  if (name === undefined) return onlyCollection(context);
  const found = await findCollection(context, name);
  if (found === undefined)
    throw new CommandError(`there is no collection ${name}`, {
      exitCode: 5,
      next: 'List them with `quire collections`.',
    });
  return found;
}

async function onlyCollection({ quire, signal }: Context): Promise<Collection> {
  const { items, total } = await quire.collections.list({ limit: 2, signal }).page();
  const [only] = items;
  if (only !== undefined && total === 1) return only;
  throw new CommandError(total === 0 ? 'there is no collection yet' : `there are ${total} collections: choose one`, {
    exitCode: 2,
    next:
      total === 0
        ? 'Add files with `quire add PATH -c NAME`.'
        : 'Pass `-c NAME`, or set a default with `quire use -c NAME`.',
  });
}
