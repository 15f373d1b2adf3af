/** A page that an earlier crawl found. Stored in the state of the connector by path. */
export interface KnownPage {
  url: string;
  version: string;
  etag: string | null;
  /** The header `Last-Modified`. */
  modified: string | null;
  /** Number of crawls in a row in which the page was missing. */
  missing: number;
  depth: number;
  name: string;
  /** Time of the last change, in milliseconds since 1970. */
  time: number | null;
}

export const KNOWN = 'page/';

export const knownKey = (path: string): string => `${KNOWN}${path}`;

export const knownOf = (value: string): KnownPage => JSON.parse(value) as KnownPage;
