/** `quire doctor`: checks the configuration, the service and the key, and names the next step of each problem. */
import { ConnectionError, QuireError } from '@quire/client';
import { createContext, outputOf, type Context, type GlobalOptions, type Io } from '../context.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { explain } from '../explain-error.ts';
import type { Output } from '../output.ts';

interface Check {
  name: string;
  /** Next step if this is a problem. */
  next?: string;
  /** Returns what was found; throws if it is a problem. */
  run: (context: Context) => Promise<string>;
}

/** Maximum difference between the clocks, in seconds: signed tokens and webhooks allow five minutes. */
const MAX_CLOCK_DIFFERENCE_S = 60;

const CHECKS: readonly Check[] = [
  {
    name: 'service',
    next: 'Start it with `npm start` or `quire serve`, or sign in to another address with `quire login URL`.',
    run: async ({ quire, signal, profile }) =>
      `${profile.url} answers, version ${(await quire.health({ signal })).version}`,
  },
  { name: 'readiness', run: readiness, next: 'The log of the service says why; `/readyz` names each dependency.' },
  {
    name: 'clock',
    run: clock,
    next: 'Set the clock of this machine or of the service; tokens and signatures depend on it.',
  },
  { name: 'key', run: key },
  { name: 'collections', run: collections },
];

export async function doctor(io: Io, options: GlobalOptions): Promise<ExitCode> {
  const output = outputOf(io, options);
  report(output, 'node', true, process.version);
  let context: Context;
  try {
    context = await createContext(io, options);
  } catch (error) {
    fail(output, 'configuration', error);
    return EXIT.failed;
  }
  let failed = 0;
  for (const { name, run, next } of CHECKS) {
    try {
      report(output, name, true, await run(context));
    } catch (error) {
      if (io.signal.aborted) throw error;
      failed += 1;
      fail(output, name, error, next);
      // The other checks would only repeat that there is no answer.
      if (error instanceof ConnectionError) break;
    }
  }
  return failed === 0 ? EXIT.ok : EXIT.failed;
}

function fail(output: Output, name: string, error: unknown, own?: string): void {
  const { message, next = own } = error instanceof ConnectionError ? { message: error.message } : explain(error);
  report(output, name, false, next === undefined ? message : `${message}\n      ${next}`);
}

function report(output: Output, name: string, ok: boolean, detail: string): void {
  const mark = ok ? output.style('green', 'ok') : output.style('red', 'failed');
  output.record({ check: name, ok, detail }, `${mark.padEnd(ok ? 7 : 0)} ${name}: ${detail}`);
}

async function readiness({ quire, signal }: Context): Promise<string> {
  const answer = await quire.readiness({ signal }).catch((error: unknown) => {
    const faults = error instanceof QuireError ? faultsOf(error) : [];
    throw faults.length === 0 ? error : new Error(faults.join('; '), { cause: error });
  });
  const { dependencies } = answer as { dependencies: Record<string, unknown> };
  return `${Object.keys(dependencies).join(', ')} are ready`;
}

/** Returns each dependency that is not ready, with its reason. */
function faultsOf({ detail: [fault] }: QuireError): string[] {
  const { dependencies = {} } = (fault?.ctx ?? {}) as {
    dependencies?: Record<string, { ok: boolean; detail?: string }>;
  };
  return Object.entries(dependencies).flatMap(([name, { ok, detail }]) =>
    ok ? [] : [`${name} is not ready${detail === undefined ? '' : `: ${detail}`}`],
  );
}

async function clock({ quire, signal }: Context): Promise<string> {
  const { headers } = await quire.raw({ path: '/healthz', signal });
  const date = headers.get('date');
  if (date === null) return 'the service sends no time';
  const seconds = Math.round(Math.abs(Date.now() - Date.parse(date)) / 1000);
  if (seconds > MAX_CLOCK_DIFFERENCE_S) throw new Error(`the clocks differ by ${seconds} s`);
  return `the clocks differ by ${seconds} s`;
}

async function key({ quire, signal }: Context): Promise<string> {
  const { permission, workspaceId } = await quire.whoami({ signal });
  return `${permission} permission in ${workspaceId ?? 'all workspaces'}`;
}

async function collections({ quire, signal }: Context): Promise<string> {
  const { total } = await quire.collections.list({ limit: 1, signal }).page();
  return `${total} in the workspace`;
}
