// large: 24 synchronisations; with QUIRE_DAY_FILES=20000 they take minutes
/** A day of hourly synchronisations. QUIRE_DAY_FILES=20000 runs it with 20,000 files in place of 200. */
import { expect, onTestFinished, test } from 'vitest';
import { Day, HOURS } from './day.ts';
import { Engine } from './engine.ts';

const FILES = Number(process.env['QUIRE_DAY_FILES'] ?? 200);

test(`in a day of ${FILES} files, each change is fetched once and nothing else`, async () => {
  const engine = await Engine.start();
  onTestFinished(() => engine.stop());
  const day = new Day(engine);
  await day.begin(FILES);
  for (let hour = 0; hour < HOURS; hour += 1) {
    const { expected, status, counts, fetches, pages } = await day.hour(hour);
    expect([hour, { status, counts, fetches, pages }]).toEqual([hour, expected]);
  }
  expect(await engine.documents()).toEqual(day.paths());
  expect(engine.errors).toEqual([]);
});
