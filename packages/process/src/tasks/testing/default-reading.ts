/** Default parse settings for tests, benchmarks and scripts that use the sandbox without a service. */
export const limits = {
  maxInflatedBytes: 1024 ** 3,
  maxArchiveEntries: 10_000,
  maxArchiveRatio: 100,
  maxArchiveDepth: 3,
  maxPixels: 100_000_000,
};

export const options = { ocr: 'auto', ocrLanguages: ['eng'], jpegQuality: 80, maxPixels: limits.maxPixels } as const;

export const chunking = { maxTokens: 400, overlapTokens: 40 };
