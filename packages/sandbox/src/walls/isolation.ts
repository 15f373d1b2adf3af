/** The walls that the operating system puts around the children of a pool. */

/**
 * From strongest to weakest. `namespaces`: own view of files, own processes, no network device. `user`: another account
 * without privileges. `process`: the service's account; only the measures inside the process itself hold.
 */
export type IsolationLevel = 'namespaces' | 'user' | 'process';

export const ISOLATION_LEVELS: readonly IsolationLevel[] = ['namespaces', 'user', 'process'];

/** One child as its walls see it. All paths are absolute and free of symbolic links. */
export interface WalledChild {
  /** The child's own directory, writable. */
  directory: string;
  /** The staged input files within `directory`, read-only where namespaces allow it. */
  inputs: string;
  /** An empty directory of the pool over which a new root directory may be mounted. */
  rootDirectory: string;
  /** Number of the child within its pool. */
  number: number;
}

export interface Isolation {
  level: IsolationLevel;
  /** The program that sets the walls up, for example `bwrap`; null without one. */
  program: string | null;
  /** Returns the command line that precedes the path of the Node binary; empty when there is nothing to set up. */
  prefix: (child: WalledChild) => string[];
  /** Returns the account that owns the child's directory; null for the account of the service. */
  owner: (child: WalledChild) => number | null;
}
