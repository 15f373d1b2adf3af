/** The searches and messages that an upgrade test expects of a release; `npm run upgrade-fixture` writes them. */
export interface UpgradeExpectation {
  /** Path of the collection, below `/v1`. */
  collection: string;
  /** Path of the history of the chat, below `/v1`. */
  history: string;
  searches: { query: string; documentName: string }[];
  messages: { id: string; role: string; status: string; parts: unknown[] }[];
}

/** Keys of the services that make the fixtures; they protect nothing. */
export const UPGRADE_KEYS = { root: 'root-key-of-the-upgrade-tests', secret: 'secret-key-of-the-upgrade-tests' };
