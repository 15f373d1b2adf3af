import { describe, expect, it } from 'vitest';
import type { FormatDescriptor } from './format-descriptor.ts';
import { FORMAT_ENTRIES, FORMATS, formatOfContentType, formatOfExtension, readerFor } from './formats.ts';

describe('the registry of formats', () => {
  it('assigns each extension and each content type to one format', () => {
    const extensions = FORMAT_ENTRIES.flatMap(([, { extensions }]) => extensions);
    const contentTypes = FORMAT_ENTRIES.flatMap(([, { contentType, aliases }]) => [contentType, ...aliases]);
    expect(extensions).toEqual([...new Set(extensions)]);
    expect(contentTypes).toEqual([...new Set(contentTypes)]);
    for (const [format, { contentType }] of FORMAT_ENTRIES) expect(formatOfContentType(contentType)).toBe(format);
    expect(formatOfExtension('htm')).toBe('html');
  });

  it('loads a reader for every format except archives', async () => {
    for (const [format, { family }] of FORMAT_ENTRIES) {
      if (family === 'archive') await expect(readerFor(format)).rejects.toMatchObject({ type: 'unsupported' });
      else expect(typeof (await readerFor(format)).parse).toBe('function');
    }
  });

  it('finds a thumbnail drawn by the reader wherever the descriptor names that source', async () => {
    for (const [format, { thumbnail }] of FORMAT_ENTRIES) {
      if (thumbnail === 'reader') expect(typeof (await readerFor(format)).thumbnail).toBe('function');
    }
  });

  it('does not compile a descriptor without one of its fields', () => {
    const { cost: _cost, ...incomplete } = FORMATS.epub;
    // @ts-expect-error The parse cost is missing.
    const descriptor: FormatDescriptor = incomplete;
    expect(descriptor.family).toBe('book');
  });
});
