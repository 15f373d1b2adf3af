/** The forms of the console for connectors, against the configurations that the kinds accept. */
import { KINDS } from '@quire/connectors/kinds/registry';
import { expect, test } from 'vitest';
import { SOURCES, type Source } from '../../../console/src/screens/connectors/sources.ts';

const FINGERPRINT = `SHA256:${'A'.repeat(43)}`;
const VALUES = {
  text: 'text',
  url: 'https://example.com/',
  number: 5,
  list: ['https://example.com/'],
  secret: 'secret',
  json: { type: 'service_account', client_email: 'a@example.com', private_key: 'secret' },
};

/** Returns the configuration of a form whose fields are all filled. */
function configOf({ fixed, fields }: Source): Record<string, unknown> {
  const values = fields.map(({ name, kind }) => [
    name,
    name === 'hostKeyFingerprint' ? FINGERPRINT : VALUES[kind as keyof typeof VALUES],
  ]);
  return { ...fixed, ...(Object.fromEntries(values) as object) };
}

test.each(SOURCES.map((source) => ({ ...source })))('the kind accepts the form of $label, filled', (source) => {
  const kind = KINDS[source.kind];
  expect(kind?.config.safeParse(configOf(source)).error).toBeUndefined();
  const secret = source.fields.filter(({ kind: type }) => type === 'secret' || type === 'json').map(({ name }) => name);
  expect(secret.filter((name) => kind?.secretFields.includes(name) !== true)).toEqual([]);
  const open = source.fields.filter(({ kind: type }) => type !== 'secret' && type !== 'json').map(({ name }) => name);
  expect(open.filter((name) => kind?.secretFields.includes(name) === true)).toEqual([]);
});

test('the forms cover all kinds of connectors', () => {
  expect([...new Set(SOURCES.map(({ kind }) => kind))].toSorted()).toEqual(Object.keys(KINDS).toSorted());
});
