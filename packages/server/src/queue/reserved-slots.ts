/** One slot more for so many: each is for a workspace that has none. */
const SLOTS_PER_RESERVED = 4;

/** Returns the number of slots beyond the concurrency of a lane: 2 for the 8 slots of the lane `main`. */
export const reservedSlots = (concurrency: number): number => Math.max(1, Math.ceil(concurrency / SLOTS_PER_RESERVED));
