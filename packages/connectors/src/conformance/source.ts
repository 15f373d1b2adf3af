/** The interface between the conformance suite and the test of a kind. Only imported by tests. */
import type { Connector, ConnectorContext } from '../connector.ts';

/** A failure that the source shows until it is replaced. */
export type Fault =
  | { kind: 'credentials' }
  | { kind: 'unavailable'; retryAfterMs: number }
  | { kind: 'missing-root' }
  /** The connection of a listing ends after this number of entries. */
  | { kind: 'cut'; afterEntries: number }
  /** This folder cannot be listed. */
  | { kind: 'folder'; folder: string }
  /** This file cannot be read. */
  | { kind: 'file'; path: string }
  /** Listings leave out this file, which exists. */
  | { kind: 'hidden'; path: string };

/** A source that the suite changes. Each case has its own, which is empty at first. */
export interface TestSource {
  /** Creates or replaces a file. */
  write(path: string, bytes: Buffer): Promise<void>;
  move(from: string, to: string): Promise<void>;
  remove(path: string): Promise<void>;
  setFault(fault: Fault | null): Promise<void>;
  /** Called after a deletion or a move, before the listing that shows it. For kinds that confirm deletions first. */
  confirm?(): Promise<void>;
  /** Creates a link to a folder, `''` for the root. Absent if the kind has no links. */
  link?(path: string, target: string): Promise<void>;
  open(context: ConnectorContext): Connector;
  close(): Promise<void>;
}

/** Links, a file with the name of a folder beside it, or a fault. */
export type Ability = 'links' | 'file-like-folder' | Fault['kind'];

export interface ConnectorFixture {
  name: string;
  start(): Promise<TestSource>;
  /** Reasons why the source cannot have an ability. The cases that need them are left out. */
  without?: Readonly<Partial<Record<Ability, string>>>;
  /** False if the protocol cannot name a delay. Default: true. */
  namesDelays?: boolean;
}

export interface ConformanceCase {
  name: string;
  /** The ability of the source that the case needs. */
  needs?: Ability;
  run(source: TestSource, fixture: ConnectorFixture): Promise<void>;
}
