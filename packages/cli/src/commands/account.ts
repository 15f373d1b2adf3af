/** `quire login`, `use`, `whoami`: profiles of services. */
import { Quire } from '@quire/client';
import { createContext, outputOf, type GlobalOptions, type Io } from '../context.ts';
import { CommandError, EXIT } from '../exit-code.ts';
import { columns, counted, type Output } from '../output.ts';
import { readProfiles, requireAddress, writeProfiles, type Profile } from '../profiles.ts';
import { askSecret } from './prompt.ts';

export interface LoginOptions {
  key?: string;
  workspace?: string;
}

/** Checks the key and stores it. The key comes from the option, QUIRE_KEY, a prompt or the first line of stdin. */
export async function login(io: Io, options: GlobalOptions & LoginOptions, url: string): Promise<void> {
  requireAddress(url);
  const output = outputOf(io, options);
  const key = (options.key ?? io.env['QUIRE_KEY']) || (await askSecret(io, 'API key: '));
  if (key.trim() === '') {
    const next = 'Pass it with --key or in QUIRE_KEY, or write it to stdin.';
    throw new CommandError('a key is needed', { exitCode: EXIT.usage, next });
  }
  const client = new Quire({ url, key: key.trim() });
  const quire = options.workspace === undefined ? client : client.workspace(options.workspace);
  const principal = await quire.whoami({ signal: io.signal });
  const workspaceId = await quire.workspaceId({ signal: io.signal });
  const name = options.profile ?? 'default';
  const stored = await readProfiles(io.env);
  const profile: Profile = { url, key: key.trim(), workspaceId };
  const file = await writeProfiles(io.env, { current: name, profiles: { ...stored.profiles, [name]: profile } });
  output.record(
    { profile: name, url, workspaceId, permission: principal.permission },
    `Signed in to ${url} with ${principal.permission} permission. Profile ${name} is in ${file}.`,
  );
}

/** Lists the profiles, or switches to one and sets its default collection. */
export async function use(io: Io, options: GlobalOptions & { collection?: string }, name?: string): Promise<void> {
  const output = outputOf(io, options);
  const stored = await readProfiles(io.env);
  const current = name ?? options.profile ?? stored.current;
  if (name === undefined && options.collection === undefined)
    return listProfiles(output, stored.profiles, stored.current);
  const profile = stored.profiles[current];
  if (profile === undefined) {
    const next = 'Create it with `quire login URL --profile NAME`.';
    throw new CommandError(`there is no profile ${current}`, { exitCode: EXIT.usage, next });
  }
  const changed = options.collection === undefined ? profile : { ...profile, collection: options.collection };
  await writeProfiles(io.env, { current, profiles: { ...stored.profiles, [current]: changed } });
  const collection = changed.collection === undefined ? '' : `, collection ${changed.collection}`;
  output.record(
    { profile: current, url: changed.url, collection: changed.collection ?? null },
    `Using profile ${current} (${changed.url}${collection}).`,
  );
}

function listProfiles(output: Output, profiles: Record<string, Profile>, current: string): void {
  const entries = Object.entries(profiles);
  if (entries.length === 0) output.note('There is no profile. Run `quire login URL`.');
  if (output.isJson) {
    for (const [name, { url, collection = null }] of entries) {
      output.record({ profile: name, url, collection, current: name === current }, '');
    }
  } else if (entries.length > 0) {
    const rows = entries.map(([name, { url, collection = '' }]) => [
      name === current ? '*' : ' ',
      name,
      url,
      collection,
    ]);
    output.text(`${columns(rows, output.width)}\n`);
  }
}

export async function whoami(io: Io, options: GlobalOptions): Promise<void> {
  const { quire, output, profile, signal } = await createContext(io, options);
  const principal = await quire.whoami({ signal });
  const limits =
    principal.collectionIds === null ? 'all collections' : counted(principal.collectionIds.length, 'collection');
  const workspace = principal.workspaceId ?? 'all workspaces';
  output.record(
    { url: profile.url, ...principal },
    `${principal.permission} key of ${workspace} at ${profile.url}, for ${limits}.`,
  );
}
