/** CONTRACT section 6: questions of a conversation, complete ones and ones that point back, in five languages. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  ask,
  createChat,
  createCollection,
  createDocument,
  createWorkspace,
  type TestWorkspace,
} from '../../factories.ts';
import { startTestService, type TestService } from '../../server.ts';
import { DIALOGUES, MIXED } from './dialogues.ts';

let service: TestService;
let workspace: TestWorkspace;

beforeAll(async () => {
  service = await startTestService();
  workspace = await createWorkspace(service);
});
afterAll(() => service.stop());

/** Returns the turns with the first snippet, or null without any, cut to the expected part if it holds that. */
async function held(
  documents: Readonly<Record<string, string>>,
  turns: readonly (readonly [question: string, snippet: string | null])[],
): Promise<unknown[]> {
  const collection = await createCollection(service, workspace);
  for (const [name, content] of Object.entries(documents)) await createDocument(service, collection, { name, content });
  const chat = await createChat(service, workspace, { collection_id: collection.id });
  const given: unknown[] = [];
  for (const [question, expected] of turns) {
    const snippet = (await ask(service, chat, question)).messages[1].citations[0]?.snippet ?? null;
    const isHeld = snippet !== null && expected !== null && snippet.includes(expected);
    given.push([question, isHeld ? expected : snippet]);
  }
  return given;
}

const chats = DIALOGUES.flatMap(({ language, documents, chats: all }) =>
  all.map((turns, at) => ({ name: `${language}, chat ${at + 1}`, documents, turns })),
);

test.each(chats)('each turn is answered by itself or with the one before it: $name', async ({ documents, turns }) => {
  expect(await held(documents, turns)).toEqual(turns);
});

test('a change of language ends the context', async () => {
  const documents = Object.assign({}, ...DIALOGUES.map((each) => each.documents)) as Record<string, string>;
  expect(await held(documents, MIXED)).toEqual(MIXED);
});

test('another year is searched for with the question before, also if figures of a filing were searched for too', async () => {
  const collection = await createCollection(service, workspace);
  const content = 'The effective tax rate of Aldren Works was 11.9 % in 2023 and 0.6 % in 2022.';
  await createDocument(service, collection, { name: 'Aldren Works annual report 2023.md', content });
  const chat = await createChat(service, workspace, { collection_id: collection.id });
  const searchesFor = async (question: string): Promise<unknown[]> =>
    (await ask(service, chat, question)).messages[1].parts.flatMap((part) =>
      part.type === 'tool' ? [part.input['query']] : [],
    );
  const first = await searchesFor("What was Aldren Works' effective tax rate in 2023?");
  expect(first.length).toBeGreaterThan(1);
  expect(await searchesFor('and in 2022?')).toContain("What was Aldren Works' effective tax rate in 2022?");
});
