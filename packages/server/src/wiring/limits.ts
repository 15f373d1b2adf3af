import type { Config } from '../config/config.ts';
import type { ParseLimits } from '@quire/parse/parser';

export function parseLimits(config: Config): ParseLimits {
  return {
    maxInflatedBytes: config.limits.inflatedBytes,
    maxArchiveEntries: config.limits.archiveEntries,
    maxArchiveRatio: config.limits.archiveRatio,
    maxArchiveDepth: config.limits.archiveDepth,
    minFreeBytes: config.limits.minFreeBytes,
  };
}
