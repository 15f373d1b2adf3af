/** Large metadata: copied into each member of an archive, filtered, and listed with every document. */
import { zipOf } from '../../../packages/server/test/zip-of.ts';
import { Random } from '../../chaos/random.ts';
import { repeat, type Attack, type Target } from '../attack.ts';

const PARALLEL = 3;
const MEMBERS = 500;
const METADATA_BYTES = 500_000;
/** Archives in a run: without a limit, each one would write 250 MB. */
const MAX_ARCHIVES = 2;
const MAX_DOCUMENTS = 60;

const members = Object.fromEntries(Array.from({ length: MEMBERS }, (_, at) => [`${at}.txt`, `The note number ${at}.`]));

/** Returns metadata of about that size in JSON. */
function metadataOf(random: Random, bytes: number): object {
  const values = Array.from({ length: 100 }, () =>
    random
      .next()
      .toString(36)
      .repeat(Math.ceil(bytes / 1_200)),
  );
  return { large: values.map((value) => value.slice(0, bytes / 100)) };
}

async function run({ keys, workspace, collection, seed, signal, send }: Target): Promise<void> {
  const random = new Random(seed);
  const docs = `/v1/w/${workspace}/col/${collection}/docs`;
  const archive = zipOf(members);
  let [archives, documents] = [0, 0];
  await repeat(signal, PARALLEL, async (round) => {
    const metadata = metadataOf(random, random.pick([60_000, 70_000, METADATA_BYTES, 9_000_000]));
    if (archives < MAX_ARCHIVES && round % 20 === 1) {
      archives += 1;
      const body = new FormData();
      body.append('file', new Blob([archive]), 'notes.zip');
      body.append('metadata', JSON.stringify(metadataOf(random, METADATA_BYTES)));
      await send('POST', `${docs}/file-multipart`, { key: keys.write, body });
    } else if (documents < MAX_DOCUMENTS && round % 3 === 0) {
      documents += 1;
      const body = JSON.stringify({ name: 'note.txt', content: 'A note.', contentType: 'text/plain', metadata });
      await send('POST', `${docs}/raw`, { key: keys.write, body });
    } else if (round % 3 === 1) {
      const filter = { 'metadata.large': String(round) };
      const body = JSON.stringify({ query: 'note', filter, limit: 100 });
      await send('POST', `/v1/w/${workspace}/search`, { key: keys.read, body });
    } else {
      await send('GET', `${docs}?limit=100`, { key: keys.read });
    }
  });
}

export const attack: Attack = { name: 'metadata', fault: 'F3 F5 F7', run };
