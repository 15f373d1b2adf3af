/** Maximum number of ids that an entry names; its count is exact. */
const MAX_IDS = 1_000;

/** Returns the details of a change to many documents. */
export const bulkDetails = (ids: readonly string[]): Record<string, unknown> => ({
  count: ids.length,
  documentIds: ids.slice(0, MAX_IDS),
});
