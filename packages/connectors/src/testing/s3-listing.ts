/** Listings of the S3 server of the tests, in the order of keys or of folders. Only imported by tests. */
import { encodeComponent } from '../kinds/object-storage/keys.ts';
import { compareUtf8 } from '../utf8-order.ts';

export interface StoredObject {
  bytes: Buffer;
  etag: string;
}

export interface ListingBehaviour {
  /** Whether keys in listings are encoded on request. Default: true. */
  encodesKeys: boolean;
  /**
   * `folders`: each folder is listed behind the object of its name, `start-after` and a token skip the keys below the
   * key that they name, and a full page does not announce the keys below its last one. SeaweedFS 4.48 does so.
   */
  order: 'keys' | 'folders';
  /** `opaque` tokens name a position that the server may forget; without tokens the listing is of the first version. */
  tokens: 'opaque' | 'keys' | 'none';
  /** Whether tokens of earlier answers are refused. */
  hasForgotten: boolean;
  /** Whether the answer says that there are more pages. */
  saysTruncated: boolean;
  /** Whether every page is the first one. */
  ignoresPosition: boolean;
}

export const LISTING: ListingBehaviour = {
  encodesKeys: true,
  order: 'keys',
  tokens: 'opaque',
  hasForgotten: false,
  saysTruncated: true,
  ignoresPosition: false,
};

const escaped = (text: string): string => text.replaceAll(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);

/** Compares segment by segment, so that the keys of a folder follow each other. */
function compareFolders(one: string, other: string): number {
  const [left, right] = [one.split('/'), other.split('/')];
  const at = left.findIndex((segment, index) => segment !== right[index]);
  if (at === -1) return left.length - right.length;
  const theirs = right[at];
  return theirs === undefined ? 1 : compareUtf8(left[at] ?? '', theirs);
}

/** A token with all characters that an address or XML must encode. */
const tokenOf = (key: string): string => `+/=&<% ${Buffer.from(key).toString('base64')}`;
const keyOf = (token: string): string => Buffer.from(token.slice('+/=&<% '.length), 'base64').toString();

interface After {
  key: string;
  /** Whether the keys below the key follow. */
  withBelow: boolean;
}

/** Returns where the page begins; null if the token is refused. */
function afterOf(behaviour: ListingBehaviour, query: URLSearchParams): After | null {
  const { tokens, hasForgotten, order, ignoresPosition } = behaviour;
  if (ignoresPosition) return { key: '', withBelow: true };
  if (tokens === 'none') return { key: query.get('marker') ?? '', withBelow: true };
  const token = query.get('continuation-token');
  if (token === null) return { key: query.get('start-after') ?? '', withBelow: order === 'keys' };
  if (hasForgotten || (tokens === 'opaque' && !token.startsWith('+/=&<% '))) return null;
  return tokens === 'keys' ? { key: token, withBelow: false } : { key: keyOf(token), withBelow: true };
}

/** Returns the page, or null if the token is refused. */
export function listingOf(
  objects: ReadonlyMap<string, StoredObject>,
  behaviour: ListingBehaviour,
  query: URLSearchParams,
): string | null {
  const { order, tokens, saysTruncated, encodesKeys } = behaviour;
  const prefix = query.get('prefix') ?? '';
  const max = Number(query.get('max-keys') ?? 1000);
  const after = afterOf(behaviour, query);
  if (after === null) return null;
  const compare = order === 'keys' ? compareUtf8 : compareFolders;
  const isBelow = (key: string): boolean => !after.withBelow && key.startsWith(`${after.key}/`) && after.key !== '';
  const keys = [...objects.keys()]
    .filter((key) => key.startsWith(prefix))
    .filter((key) => (after.key === '' || compare(key, after.key) > 0) && !isBelow(key))
    .toSorted(compare);
  const page = keys.slice(0, max);
  const last = page.at(-1) ?? '';
  const more = keys.slice(max).some((key) => order === 'keys' || !key.startsWith(`${last}/`));
  const next = tokens === 'keys' && keys[max]?.startsWith(`${last}/`) === true ? `${last}/` : last;
  const isEncoded = encodesKeys && query.get('encoding-type') === 'url';
  const contents = page.map((key) => {
    const { bytes, etag } = objects.get(key)!;
    const name = isEncoded ? encodeComponent(key).replaceAll('%20', '+') : escaped(key);
    const time = '2026-01-02T03:04:05.000Z';
    return `<Contents><Key>${name}</Key><LastModified>${time}</LastModified><ETag>${escaped(etag)}</ETag><Size>${bytes.length}</Size></Contents>`;
  });
  const token = tokens === 'opaque' ? tokenOf(last) : next;
  const continued = more && tokens !== 'none' ? `<NextContinuationToken>${escaped(token)}</NextContinuationToken>` : '';
  const truncated = saysTruncated ? `<IsTruncated>${more}</IsTruncated>${continued}` : '';
  return `<ListBucketResult>${isEncoded ? '<EncodingType>url</EncodingType>' : ''}${truncated}${contents.join('')}</ListBucketResult>`;
}
