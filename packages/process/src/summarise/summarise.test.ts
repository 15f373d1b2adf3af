import { afterAll, expect, test } from 'vitest';
import { ScriptedChatModel, shownTo } from '@quire/models/testing/scripted-chat-model';
import { LocalEmbedders } from '@quire/models/local/local-embedders';
import type { SummaryConfig } from '../blocks.ts';
import { countWords } from '../sentences/document-sentences.ts';
import { markdownDocument, moduleDeps } from '../testing/markdown-document.ts';
import { SUMMARY_WORDS } from './lengths.ts';
import { bindingPeriod } from './binding-periods.ts';
import { summarise } from './summarise.ts';

const local = new LocalEmbedders();
afterAll(() => local.close());
const { signal } = new AbortController();

const REPORT = `# Flood protection of the old harbour

The city council commissioned this report after the flood of 2021. It describes how the old harbour can be protected.

## Findings

The quay walls of the old harbour are too low for floods that are expected every thirty years. In conclusion, the quay walls must be raised by eighty centimetres to protect the old harbour from floods. The weather was pleasant during our visits. Lunch was served at noon.

| Section | Height |
|---|---|
| North | 1.2 m |

## Costs

Raising the quay walls costs four million euros and takes two years. The pumps of the old harbour have to be replaced too. Who pays for the pumps? The quay walls of the old harbour are too low for floods that are expected every thirty years.

## Thanks

We thank everybody who helped us. The photographs are by the authors.
`;

async function summary(text: string, config: SummaryConfig, embedder = false): Promise<string> {
  const deps = moduleDeps(null, embedder ? await local.open('quire-static/1') : null);
  return (await summarise(await markdownDocument(text), config, deps, signal)).result.text;
}

const flat = (text: string): string => text.replaceAll(/\s+/g, ' ');

test('without a model a summary consists of verbatim sentences of the document in their order, without repetition', async () => {
  for (const embedder of [false, true]) {
    const text = await summary(REPORT, { length: 'medium' }, embedder);
    const places = text.split('\n').map((line) => flat(REPORT).indexOf(flat(line)));
    expect(places.every((place) => place >= 0)).toBe(true);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(text.match(/too low for floods/g)?.length ?? 0).toBeLessThanOrEqual(1);
    expect(text).toContain('the quay walls must be raised by eighty centimetres');
    expect(text).not.toMatch(/Lunch|thank|Who pays|North/);
  }
});

test('lengths are kept in words, and a short text is not repeated whole', async () => {
  const long = Array.from(
    { length: 300 },
    (_, at) =>
      `Measurement ${at} of the harbour showed a water level of ${at * 3} cm at the northern quay wall on that day.`,
  );
  const words = async (length: SummaryConfig['length']) => countWords(await summary(long.join(' '), { length }));
  for (const length of ['short', 'medium', 'long'] as const) {
    const count = await words(length);
    expect([length, count <= SUMMARY_WORDS[length], count > SUMMARY_WORDS[length] / 2]).toEqual([length, true, true]);
  }
  const brief = 'The library opens at nine. It closes at five. On Thursdays it is open until eight in the evening.';
  expect(countWords(await summary(brief, { length: 'long' }))).toBeLessThan(countWords(brief));
  expect(await summary('One sentence only.', { length: 'short' })).toBe('One sentence only.');
});

test('without a model, instructions select the subject of the summary', async () => {
  const about = await summary(REPORT, { length: 'short', instructions: 'What do the pumps and walls cost?' });
  expect(about).toContain('Raising the quay walls costs four million euros');
});

test('a summary of an agreement states how long it is in force and with which notice it ends', async () => {
  const clauses = [
    'The supplier delivers the goods to the stores of the customer, and the customer inspects the goods of the supplier.',
    'The customer pays for the goods of the supplier, and the supplier delivers the goods that the customer ordered.',
    'The supplier keeps the goods of the customer in its stores, and the customer collects the goods from the stores.',
  ];
  const term = 'This agreement remains in force for three years.';
  const notice = 'Either party may end it with written notice of ninety days.';
  const breach = 'A breach must be cured within ten days after written notice.';
  const text = [...clauses, breach, term, notice].join('\n\n');
  const result = flat(await summary(text, { length: 'short' }));
  expect(result).toContain(term);
  expect(result).toContain(notice);
  expect(result).not.toContain(breach);
});

test('a notice of termination counts more than other notices, and a breach not at all', () => {
  const ending = 'Either party may terminate it upon ninety days’ written notice.';
  const defects = 'The customer reports defects by written notice within thirty days.';
  const breach = 'A breach must be cured within ten days after written notice.';
  expect([ending, defects, breach, 'The rent is due monthly.'].map(bindingPeriod)).toEqual([1, 0.4, 0, 0]);
});
test('a text without spaces is summarised too', async () => {
  const text =
    '旧港的堤墙太低。为了保护旧港免受洪水侵袭，堤墙必须加高八十厘米。加高堤墙需要四百万欧元和两年时间。午餐在中午供应。天气很好。';
  const found = await summary(text, { length: 'short' });
  expect(text).toContain(found.split('\n')[0]);
  expect(found.length).toBeLessThan(text.length);
});

test('another language needs a model, and a text without words has no summary', async () => {
  await expect(summary(REPORT, { length: 'short', language: 'fr' })).rejects.toMatchObject({ type: 'unsupported' });
  await expect(summary('', { length: 'short' })).rejects.toMatchObject({ type: 'no_text' });
});

test('a document that fits into one request is sent once, with length, language and instructions', async () => {
  const model = new ScriptedChatModel(() => ['  The walls must be raised. ']);
  const config = { length: 'short', language: 'de', instructions: 'Name the costs.' } as const;
  const { result, usage } = await summarise(await markdownDocument(REPORT), config, moduleDeps(model), signal);
  expect([result, usage]).toEqual([{ text: 'The walls must be raised.' }, { inputTokens: 100, outputTokens: 10 }]);
  const shown = shownTo(model.requests[0]);
  expect([
    model.requests.length,
    shown.includes("at most 50 words, in German. The reader's wish: Name the costs."),
  ]).toEqual([1, true]);
  expect(shown).toContain('Raising the quay walls costs four million euros');
});

test('a longer document is read in parts, and the notes on all parts are summarised', async () => {
  const facts = Array.from({ length: 400 }, (_, at) => `Fact number ${at} says that pump ${at} moves ${at} litres.`);
  const model = new ScriptedChatModel(
    ({ turns }) => [turns[1]?.text.includes('notes on the parts') === true ? 'All pumps.' : 'Some pumps.'],
    { contextTokens: 4000 },
  );
  const { result, usage } = await summarise(
    await markdownDocument(facts.join('\n\n')),
    { length: 'long' },
    moduleDeps(model),
    signal,
  );
  expect(result.text).toBe('All pumps.');
  const shown = model.requests.map(shownTo);
  expect(shown.length).toBeGreaterThan(2);
  expect(facts.filter((fact) => !shown.some((text) => text.includes(fact)))).toEqual([]);
  expect(shown.at(-1)).toContain('Some pumps.\n\nSome pumps.');
  expect(usage.inputTokens).toBe(100 * shown.length);
});

test('an empty or withheld answer of a model is a provider error', async () => {
  const usage = { inputTokens: 1, outputTokens: 1 };
  for (const said of [[' '], [{ type: 'end', reason: 'filtered', usage } as const]]) {
    const work = summarise(
      await markdownDocument(REPORT),
      { length: 'short' },
      moduleDeps(new ScriptedChatModel(() => said)),
      signal,
    );
    await expect(work).rejects.toMatchObject({ type: 'provider_error' });
  }
});

test('running text in a font of fixed width is read, and programs beside text are not', async () => {
  const contract = `# Hosting

This agreement describes the services that the parties have agreed upon for the web site of the customer.

\`\`\`
     8.2     Convenience.  Holm  may terminate this Agreement at any time for
             -----------
its  convenience,  for  no  reason or for any reason, upon sixty (60) days prior
written  notice  to  Pell.  In  the  event  of  such  termination  the  site
is  closed.
\`\`\`

\`\`\`
const notice = 30;
send(notice, customer);
return closed;
\`\`\`
`;
  const text = await summary(contract, { length: 'medium' });
  expect(text).toContain('Holm may terminate this Agreement at any time for its convenience, for no reason or for any');
  expect(text).not.toMatch(/const|-----/);
});
