import type { SettingName } from '../provider-settings.ts';

/** Limits of the calls to an outside provider. */
export const LIMITS = ['maxConcurrency', 'requestsPerMinute'] as const satisfies readonly SettingName[];

export const SAMPLING = [
  ...(['baseUrl', 'dimensions', 'temperature', 'maxOutputTokens'] as const),
  ...LIMITS,
] as const satisfies readonly SettingName[];

/** Settings of the page images, for a provider that reads them. */
export const PAGE_IMAGES = ['jpegQuality', 'maxPixels'] as const satisfies readonly SettingName[];
