/** A folder in which a client is generated and used. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

export interface Place {
  folder: string;
  /** `QUIRE_URL` and `QUIRE_KEY` of a running service. */
  environment: Record<string, string>;
}

/** Generates a client in the folder and uses it. Returns what was seen. */
export type Check = (place: Place) => Promise<string>;

/** The generator, or a program that it needs, cannot be fetched here. */
export class GeneratorMissing extends Error {}

export const DESCRIPTION = fileURLToPath(new URL('../../docs/openapi.json', import.meta.url));

const execute = promisify(execFile);

/** Runs a program in the folder and returns what it printed. Rejects with all that it printed if it fails. */
export async function run({ folder, environment }: Place, program: string, args: readonly string[]): Promise<string> {
  const options = { cwd: folder, env: { ...process.env, ...environment }, maxBuffer: 1 << 26 };
  try {
    const { stdout, stderr } = await execute(program, args, options);
    return `${stdout}${stderr}`;
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    const printed = `${stdout}${stderr}`.slice(-6_000);
    throw new Error(`${program} ${args.join(' ')} failed: ${printed === '' ? String(error) : printed}`, {
      cause: error,
    });
  }
}

/** Fetches a generator by a command. Rejects with `GeneratorMissing` if that fails. */
export async function fetchGenerator(place: Place, program: string, args: readonly string[]): Promise<void> {
  try {
    await run(place, program, args);
  } catch (error) {
    const [line] = String(error instanceof Error ? error.message : error).split('\n', 1);
    throw new GeneratorMissing(`its generator cannot be fetched: ${line}`, { cause: error });
  }
}
