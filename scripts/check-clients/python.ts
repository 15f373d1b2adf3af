/** The client that `openapi-python-client` writes. */
import { fileURLToPath } from 'node:url';
import { DESCRIPTION, fetchGenerator, run, type Place } from './place.ts';

const GENERATOR = 'openapi-python-client==0.29.1';
const USE = fileURLToPath(new URL('use_client.py', import.meta.url));
/** Contents that the generator leaves out: it reads bytes of `application/octet-stream` only. */
const UNSUPPORTED = /image\/webp|application\/x-ndjson/;

export async function checkPython(place: Place): Promise<string> {
  await fetchGenerator(place, 'python3', ['-m', 'venv', 'venv']);
  await fetchGenerator(place, 'venv/bin/pip', ['install', '--quiet', '--disable-pip-version-check', GENERATOR]);
  const generating = ['generate', '--path', DESCRIPTION, '--output-path', 'client', '--meta', 'none'];
  const printed = await run(place, 'venv/bin/openapi-python-client', generating);
  const refused = printed
    .split('\n')
    .filter((line) => /^(?:Unable to|Cannot parse|ERROR)/.test(line) && !UNSUPPORTED.test(line));
  if (refused.length > 0) throw new Error(`the Python generator leaves out:\n${refused.join('\n').slice(0, 4_000)}`);
  await run(place, 'python3', ['-m', 'compileall', '-q', 'client']);
  await run({ ...place, environment: { ...place.environment, PYTHONPATH: place.folder } }, 'venv/bin/python', [USE]);
  return 'the client compiles; it uploaded, searched, chatted and ran';
}
