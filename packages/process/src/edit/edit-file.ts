/** Edits one file inside the sandbox: reads it, applies the operations in order and writes the outputs. */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { FORMATS } from '@quire/parse/formats';
import { ContentError } from '@quire/blocks/content-error';
import type { ParseContext, ParseLimits, ParseOptions, SourceFile } from '@quire/parse/parser';
import { formatsOf, operationsOn, takesFormat, type Operation } from './operations.ts';
import { outputName } from './output-name.ts';
import type { EditedDocument, OperationReport } from './report.ts';

export interface EditInput {
  file: SourceFile;
  operations: Operation[];
  /** Other files of the run, from which operations may take pages. */
  siblings: readonly SourceFile[];
  /** Options with which the file was read, for pages whose text is recognised; default: no recognition. */
  options?: ParseOptions | undefined;
  limits: ParseLimits;
  maxPixels: number;
  /** Directory that the outputs are written to. */
  directory: string;
}

interface Edited {
  /** One entry per output; several only after a split. */
  files: Uint8Array[];
  reports: OperationReport[];
}

const NO_RECOGNITION = { ocr: 'never', ocrLanguages: [], jpegQuality: 85 } as const;

export async function editFile(
  input: EditInput,
  task: Pick<ParseContext, 'signal' | 'tempDir' | 'onProgress'>,
): Promise<EditedDocument> {
  const { file, operations } = input;
  requireFitting(file, operations);
  const context: ParseContext = {
    ...task,
    limits: input.limits,
    options: { ...NO_RECOGNITION, ...input.options, maxPixels: input.maxPixels },
  };
  const { files, reports } = await edit(input, context);
  const outputs = files.map(async (bytes, index) => {
    const name = outputName(file, files.length === 1 ? undefined : index + 1);
    const target = path.join(input.directory, name);
    await writeFile(target, bytes);
    return { name, contentType: FORMATS[file.format].contentType, path: target, sizeBytes: bytes.length };
  });
  return { operations: reports, outputs: await Promise.all(outputs) };
}

function requireFitting(file: SourceFile, operations: readonly Operation[]): void {
  const { format } = file;
  if (operationsOn(format).length === 0) {
    throw new ContentError('unsupported', `Files of type ${format} cannot be edited`);
  }
  for (const [index, { type }] of operations.entries()) {
    if (takesFormat(type, format)) continue;
    throw new ContentError(
      'unsupported',
      `Operation ${index + 1} (${type}) applies to ${formatsOf(type)}; this file is ${format}`,
    );
  }
}

async function edit({ file, operations, siblings }: EditInput, context: ParseContext): Promise<Edited> {
  // Engines are imported on demand, since a text file needs none of them.
  if (file.format === 'pdf') return (await import('./pdf/pdf-edit.ts')).editPdf(file, operations, siblings, context);
  if (FORMATS[file.format].family === 'text' || file.format === 'svg') {
    const { bytes, reports } = await (await import('./text/text-edit.ts')).editTextFile(file, operations, context);
    return { files: [bytes], reports };
  }
  const { bytes, reports } = await (await import('./office/office-edit.ts')).editOfficeFile(file, operations, context);
  return { files: [bytes], reports };
}
