/**
 * Conformance tests for every `DocumentParser` of an outside provider; the test file of a provider calls
 * `describeDocumentParser`. Its fixture `page.json` is a page with a heading, a sentence and a table in the provider's
 * format. Only imported by tests.
 */
import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import type { PagePicture } from '@quire/blocks/page-reading';
import { RemoteDocumentParser, type RemoteParserSettings } from './remote/remote-document-parser.ts';
import { expectTrouble, KEY, TROUBLES } from './testing/json-troubles.ts';
import { playProvider, type ProviderStage } from './testing/provider-stage.ts';
import { answer, silence, type Act } from './testing/wire-server.ts';

export interface PageWire {
  provider: RemoteParserSettings['provider'];
  fixtures: URL;
  baseUrl: (origin: string) => string;
}

interface Stage extends ProviderStage {
  parser: RemoteDocumentParser;
}

const neverAborted = new AbortController().signal;
export const picture: PagePicture = { page: 3, jpeg: Buffer.from([0xff, 0xd8, 0xff]), width: 500, height: 1000 };

export async function stage(
  wire: PageWire,
  acts: readonly Act[],
  more: Partial<RemoteParserSettings> = {},
): Promise<Stage> {
  const provider = await playProvider(acts);
  const identity = { configurationId: 'c', provider: wire.provider, model: 'm', apiKey: KEY };
  const parser = new RemoteDocumentParser(
    { ...identity, baseUrl: wire.baseUrl(provider.origin), ...more },
    provider.connections,
  );
  return { ...provider, parser };
}

export const fixture = async (wire: PageWire, name: string): Promise<Act> =>
  answer(200, await readFile(new URL(`${name}.json`, wire.fixtures), 'utf8'));

export function describeDocumentParser(wire: PageWire): void {
  describe(`${wire.provider}: pages`, () => {
    test('a page is returned as Markdown with its number', async () => {
      const { parser, calls } = await stage(wire, [await fixture(wire, 'page')]);
      const { page, parts, warnings } = await parser.readPage(picture, neverAborted);
      expect([page, warnings]).toEqual([3, []]);
      const markdown = parts.map((part) => part.markdown.trim()).filter((text) => text !== '');
      expect(markdown.join('\n\n')).toBe(
        '# Lease\n\nThe lease ends in May.\n\n| Month | Rent |\n| --- | --- |\n| May | 900 |',
      );
      expect(calls.map(({ provider, operation, outcome }) => [provider, operation, outcome])).toEqual([
        [wire.provider, 'parse', 'ok'],
      ]);
    });

    test('a temporary failure is retried after a pause', async () => {
      const { parser, clock } = await stage(wire, [answer(503), await fixture(wire, 'page')]);
      expect((await parser.readPage(picture, neverAborted)).parts.length).toBeGreaterThan(0);
      expect(clock.pauses).toEqual([500]);
    });

    test('JSON that is not a page is an error of the provider', async () => {
      const { parser } = await stage(wire, [answer(200, '{"pages":[],"candidates":[]}')]);
      await expect(parser.readPage(picture, neverAborted)).rejects.toThrow('not a page');
    });

    test('another model or other page images change the parser id', async () => {
      const ids = [{}, { model: 'n' }, { jpegQuality: 40 }, { maxPixels: 1e6 }].map(
        async (more) => (await stage(wire, [silence], { baseUrl: 'https://a.example', ...more })).parser.parserId,
      );
      expect(new Set(await Promise.all(ids)).size).toBe(4);
    });

    test.each(TROUBLES)('$name', async (trouble) => {
      const { parser, clock, requests } = await stage(wire, trouble.acts);
      await expectTrouble(trouble, {
        call: () => parser.readPage(picture, neverAborted),
        clock,
        count: () => requests.length,
      });
    });
  });
}
