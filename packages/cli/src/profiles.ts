/** Profiles of services: address, key and defaults, in one file of mode 600. */
import { chmod, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { CommandError } from './exit-code.ts';

export interface Profile {
  url: string;
  key: string;
  /** Workspace for keys that reach several. */
  workspaceId?: string;
  /** Name or id of the collection of commands without `-c`. */
  collection?: string;
}

export interface ProfileFile {
  current: string;
  profiles: Record<string, Profile>;
}

type Environment = Record<string, string | undefined>;

/** Returns `QUIRE_CONFIG`, or `quire/profiles.json` in the user's configuration folder. */
export function profilePath(env: Environment): string {
  const { QUIRE_CONFIG: own, XDG_CONFIG_HOME: folder } = env;
  if (own !== undefined && own !== '') return own;
  return path.join(folder || path.join(homedir(), '.config'), 'quire', 'profiles.json');
}

/** Returns an empty file's content if there is none; throws if it is damaged. */
export async function readProfiles(env: Environment): Promise<ProfileFile> {
  const file = profilePath(env);
  try {
    return JSON.parse(await readFile(file, 'utf8')) as ProfileFile;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { current: 'default', profiles: {} };
    const next = 'Correct or remove the file, then run `quire login`.';
    throw new CommandError(`cannot read ${file}: ${(error as Error).message}`, { next });
  }
}

export async function writeProfiles(env: Environment, content: ProfileFile): Promise<string> {
  const file = profilePath(env);
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  const temporary = `${file}.${process.pid}.tmp`;
  await writeFile(temporary, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
  await chmod(temporary, 0o600);
  await rename(temporary, file);
  return file;
}

/** Throws a usage error unless the text is an address of http or https. */
export function requireAddress(url: string): void {
  if (/^https?:\/\//iu.test(url) && URL.canParse(url)) return;
  const next = 'Write it as http://127.0.0.1:8080 or https://quire.example.com.';
  throw new CommandError(`${url} is not the address of a service`, { exitCode: 2, next });
}

/**
 * Returns the named or current profile. `QUIRE_URL` and `QUIRE_KEY` replace it: with another address or key, its key,
 * workspace and collection are not used.
 */
export async function resolveProfile(env: Environment, name?: string): Promise<Profile> {
  const { QUIRE_URL: url, QUIRE_KEY: key, QUIRE_WORKSPACE: workspaceId } = env;
  const { current, profiles } = await readProfiles(env);
  const stored = profiles[name ?? current];
  if (name !== undefined && stored === undefined)
    throw new CommandError(`there is no profile ${name}`, { exitCode: 2, next: 'List them with `quire use`.' });
  const address = url || stored?.url;
  if (address === undefined || address === '') {
    const next = 'Run `quire login URL`, or set QUIRE_URL and QUIRE_KEY.';
    throw new CommandError('no service is configured', { exitCode: 4, next });
  }
  requireAddress(address);
  const isStored = stored !== undefined && address === stored.url && (key || stored.key) === stored.key;
  const profile = isStored ? stored : { url: address, key: key ?? '' };
  return { ...profile, ...(workspaceId ? { workspaceId } : {}) };
}
