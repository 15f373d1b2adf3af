/** CONTRACT section 6: an answer does not depend on what the file is called. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  ask,
  createChat,
  createCollection,
  createDocument,
  createWorkspace,
  type TestWorkspace,
} from '../factories.ts';
import { startTestService, type TestService } from '../server.ts';

const TITLE = 'Annual report of the harbour';
const REPORT = `# ${TITLE}

The harbour handled 812 ships last year.

## Staff

At the end of the year the harbour employed 94 people. The pension fund is closed to new members.

## Outlook

A second quay opens in March 2027.
`;
const NOTE = '# Canteen\n\nThe canteen of the office serves lunch from noon to two.';
const QUESTIONS = [
  'How many ships did the harbour handle?',
  'When does the second quay open?',
  'How many people does the harbour employ?',
  'What does the pension fund invest in?',
  'Who painted the ceiling?',
];

let service: TestService;
let workspace: TestWorkspace;

beforeAll(async () => {
  service = await startTestService();
  workspace = await createWorkspace(service);
});
afterAll(() => service.stop());

/** Returns the answers and quoted texts of a collection in which the report has the name. */
async function answers(name: string, content: string, contentType: string): Promise<unknown[]> {
  const col = await createCollection(service, workspace, { name });
  await createDocument(service, col, { name, content, contentType });
  await createDocument(service, col, { name: 'canteen.md', content: NOTE });
  const given: unknown[] = [];
  for (const question of QUESTIONS) {
    const chat = await createChat(service, workspace, { collection_id: col.id });
    const [, message] = (await ask(service, chat, question)).messages;
    const text = message.parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
    given.push({ question, text, quotes: message.citations.map(({ snippet }) => snippet) });
  }
  return given;
}

test.each([
  ['md', 'text/markdown', REPORT],
  ['txt', 'text/plain', REPORT.replaceAll(/^#+ /gm, '')],
])('a file in %s gives the same answers by any name', async (extension, type, content) => {
  const byTitle = await answers(`${TITLE}.${extension}`, content, type);
  expect(byTitle).toMatchObject([{ text: expect.stringContaining('812') as string }, {}, {}, {}, {}]);
  for (const name of ['report', 'scan_0001', '2026-11 final (2)']) {
    expect(await answers(`${name}.${extension}`, content, type)).toEqual(byTitle);
  }
});
