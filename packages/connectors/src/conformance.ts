/**
 * Conformance suite for every kind of connector; the test file of a kind calls `describeConnector`. Only imported by
 * tests.
 */
import { describe, test } from 'vitest';
import { failureCases } from './conformance/failure-cases.ts';
import { fetchCases } from './conformance/fetch-cases.ts';
import { listingCases } from './conformance/listing-cases.ts';
import { state } from './conformance/read-source.ts';
import type { ConformanceCase, ConnectorFixture } from './conformance/source.ts';

/** Returns the cases that apply to this fixture. */
export const casesOf = (fixture: ConnectorFixture): ConformanceCase[] =>
  [...listingCases, ...fetchCases, ...failureCases].filter(
    ({ needs, fault }) =>
      (needs === undefined || fixture[needs]) && (fault === undefined || (fixture.faults?.includes(fault) ?? true)),
  );

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
    for (const each of casesOf(fixture)) test(each.name, () => runCase(each, fixture));
  });
}
