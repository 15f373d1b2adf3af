import type { SettingName } from '../provider-settings.ts';

/** Limits of the calls to an outside provider. */
export const LIMITS = ['maxConcurrency', 'requestsPerMinute'] as const satisfies readonly SettingName[];

export const SAMPLING = [
  ...(['baseUrl', 'dimensions', 'temperature', 'maxOutputTokens'] as const),
  ...LIMITS,
] as const satisfies readonly SettingName[];

/** How pages are drawn for a provider that reads images of them. */
export const PAGE_IMAGES = ['jpegQuality', 'maxPixels'] as const satisfies readonly SettingName[];
