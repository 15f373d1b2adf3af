/** For tests: edits bytes in this process, as the sandbox does. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { FORMATS, type Format } from '@quire/parse/formats';
import type { ParseOptions } from '@quire/parse/parser';
import { editFile } from '../edit-file.ts';
import { operations as operationsSchema } from '../operations.ts';
import type { OperationReport } from '../report.ts';

export const limits = {
  maxInflatedBytes: 200_000_000,
  maxArchiveEntries: 1_000,
  maxArchiveRatio: 100,
  maxArchiveDepth: 3,
};

export interface EditedBytes {
  files: Buffer[];
  names: string[];
  operations: OperationReport[];
}

/** Validates the operations and applies their defaults first, as for a request. */
export async function editBytes(
  bytes: Uint8Array | string,
  format: Format,
  operations: readonly object[],
  contentType = FORMATS[format].contentType,
  options?: ParseOptions,
  maxFileBytes = 200 * 1024 ** 2,
): Promise<EditedBytes> {
  const directory = mkdtempSync(path.join(tmpdir(), 'quire-edit-'));
  try {
    const name = `file.${FORMATS[format].extensions[0] ?? format}`;
    const source = path.join(directory, name);
    writeFileSync(source, bytes);
    const file = { path: source, name, sizeBytes: Buffer.byteLength(bytes), format, contentType };
    const parsed = operationsSchema.parse(operations);
    const task = { signal: new AbortController().signal, tempDir: directory, onProgress: () => undefined };
    const edited = await editFile(
      { file, operations: parsed, siblings: [], options, limits, maxPixels: 20_000_000, maxFileBytes, directory },
      task,
    );
    return {
      files: edited.outputs.map((output) => readFileSync(output.path)),
      names: edited.outputs.map((output) => output.name),
      operations: edited.operations,
    };
  } finally {
    rmSync(directory, { recursive: true });
  }
}
