/** Estimates of the memory that an answer takes, for requests whose answers can be large. */

/** Memory in bytes for an item of a list or a search: its metadata of up to 64 kB as values and as text. */
const ITEM_BYTES = 144 * 1024;
/** Memory in bytes for all items of an answer, whose metadata take 4 MB at most. */
const MAX_ITEMS_BYTES = 8 * 1024 * 1024;
/** Memory in bytes for a block tree, or a rendering of it. */
export const TREE_BYTES = 4 * 1024 * 1024;
/** Memory in bytes for the compressor of a streamed answer. */
export const COMPRESSOR_BYTES = 1024 * 1024;

export const itemBytes = (count: number): number => Math.min(count * ITEM_BYTES, MAX_ITEMS_BYTES);
