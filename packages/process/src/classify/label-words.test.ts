import { expect, it } from 'vitest';
import { EventLoopTurns } from '@quire/shared/event-loop-turns';
import { LabelWords } from './label-words.ts';
import type { Label } from './taxonomy.ts';

const turns = () => new EventLoopTurns(new AbortController().signal);
const label = (name: string, description = ''): Label => ({ path: [name], names: [name], description, children: [] });

it('scores the words of labels by their rarity among the siblings', async () => {
  const labels = [label('river boats'), label('river bridges'), label('taxes')];
  const scores = await new LabelWords('en', turns()).scores(labels, new Set(['river', 'boat']));
  const [rare, common] = [Math.log(1 + 3), Math.log(1 + 3 / 2)];
  expect(scores).toEqual([
    expect.closeTo(Math.sqrt(rare + common), 10),
    expect.closeTo(common / Math.sqrt(rare + common), 10),
    0,
  ]);
});

it('reads the texts of labels once, for however many texts they are scored', async () => {
  let reads = 0;
  const labels = Array.from({ length: 50 }, (_, at) => ({
    ...label(`label ${at}`),
    get description() {
      reads += 1;
      return `subject ${at}`;
    },
  }));
  const words = new LabelWords('en', turns());
  for (let part = 0; part < 40; part += 1) await words.scores(labels, new Set(['subject']));
  expect(reads).toBe(labels.length);
});
