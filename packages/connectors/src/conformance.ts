/**
 * Conformance suite for every kind of connector; the test file of a kind calls `describeConnector`. Only imported by
 * tests.
 */
import { describe, test } from 'vitest';
import { existenceCases } from './conformance/existence-cases.ts';
import { failureCases } from './conformance/failure-cases.ts';
import { fetchCases } from './conformance/fetch-cases.ts';
import { listingCases } from './conformance/listing-cases.ts';
import { state } from './conformance/read-source.ts';
import type { ConformanceCase, ConnectorFixture } from './conformance/source.ts';
import { testsAllServers } from './testing/programs.ts';

const CASES: readonly ConformanceCase[] = [...listingCases, ...existenceCases, ...fetchCases, ...failureCases];

/** Returns why a case does not apply to the fixture; undefined if it does. */
const reasonAgainst = ({ needs }: ConformanceCase, { without = {} }: ConnectorFixture): string | undefined =>
  needs === undefined ? undefined : without[needs];

/** Returns the cases that apply to this fixture. */
export const casesOf = (fixture: ConnectorFixture): ConformanceCase[] =>
  CASES.filter((each) => reasonAgainst(each, fixture) === undefined);

/** Runs a case with a source of its own. */
export async function runCase({ run }: ConformanceCase, fixture: ConnectorFixture): Promise<void> {
  state.clear();
  const source = await fixture.start();
  try {
    await run(source, fixture);
  } finally {
    await source.close();
  }
}

export function describeConnector(fixture: ConnectorFixture): void {
  describe(`${fixture.name}: connector`, () => {
    for (const each of CASES) {
      const reason = reasonAgainst(each, fixture);
      if (reason === undefined) test(each.name, () => runCase(each, fixture));
      // The table of all sources has the reasons.
      else if (testsAllServers) test.skip(`${each.name} (not applicable: ${reason})`, () => undefined);
    }
  });
}
