/** Edits one file inside the sandbox: reads it, applies the operations in order and writes the outputs. */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { FORMATS } from '@quire/parse/formats';
import { ContentError } from '@quire/blocks/content-error';
import type { ParseContext, ParseLimits, ParseOptions, SourceFile } from '@quire/parse/parser';
import { formatsOf, operationsOn, takesFormat, type Operation } from './operations.ts';
import { outputName } from './output-name.ts';
import { OutputBudget, outputLimit } from './replace/output-budget.ts';
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
  /** Maximum size of a file in bytes, which also bounds what the edit writes. */
  maxFileBytes: number;
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
  const sizeBytes = [file, ...input.siblings].reduce((sum, each) => sum + each.sizeBytes, 0);
  const budget = new OutputBudget(outputLimit(sizeBytes, input.maxFileBytes));
  const { files, reports } = await edit(input, context, budget);
  budget.requireWithin(files.reduce((sum, { length }) => sum + length, 0));
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

async function edit(
  { file, operations, siblings }: EditInput,
  context: ParseContext,
  budget: OutputBudget,
): Promise<Edited> {
  // Engines are imported on demand, since a text file needs none of them.
  if (file.format === 'pdf') {
    const { editPdf } = await import('./pdf/pdf-edit.ts');
    return editPdf(file, operations, siblings, context, budget);
  }
  if (FORMATS[file.format].family === 'text' || file.format === 'svg') {
    const { editTextFile } = await import('./text/text-edit.ts');
    const { bytes, reports } = await editTextFile(file, operations, context, budget);
    return { files: [bytes], reports };
  }
  const { editOfficeFile } = await import('./office/office-edit.ts');
  const { bytes, reports } = await editOfficeFile(file, operations, context, budget);
  return { files: [bytes], reports };
}
