import { expect, test } from 'vitest';
import { findSupport } from './support.ts';

const FEES =
  'The library has two floors. A late book costs 10 cents a day. After 30 days the book counts as lost.\n' +
  'Card | 2018 | 2019\nAdults | 10 euros | 12 euros\nCompanies | 80 euros | 95 euros';

const supportOf = async (statement: string, chunk = FEES): Promise<string | null> => {
  const found = await findSupport(statement, chunk);
  return found && chunk.slice(found.start, found.end);
};

test.each([
  ['Late books cost 10 cents per day', 'A late book costs 10 cents a day.'],
  [
    'A book that is late costs money daily; after 30 days it is lost',
    'A late book costs 10 cents a day. After 30 days the book counts as lost.',
  ],
  ['In 2019 companies paid 95 euros for a card', 'Companies | 80 euros | 95 euros'],
])('%s rests on: %s', async (statement, snippet) => {
  expect(await supportOf(statement)).toBe(snippet);
});

test.each(['The owl hunts mice at night', 'A late book costs 15 cents a day', '', '???'])(
  '%s rests on nothing there',
  async (statement) => {
    expect(await supportOf(statement)).toBeNull();
  },
);

test('a number is compared as a whole', async () => {
  const chunk = 'The router has the address 127.0.1.1 on the second line. It was sold 1,200 times.';
  expect(await supportOf('The address of the router is 10.0.0.1', chunk)).toBeNull();
  expect(await supportOf('The router was sold 1200 times', chunk)).not.toBeNull();
});

test('one shared name or number supports a statement in another language', async () => {
  const chunk = 'The museum was founded by Ann Miller in 1894. It shows 300 pictures of birds from all over the world.';
  expect(await supportOf('Das Museum wurde im Jahr 1894 von einer reichen Frau aus der Stadt gegründet', chunk)).toBe(
    'The museum was founded by Ann Miller in 1894.',
  );
});
