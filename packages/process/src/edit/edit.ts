/**
 * The edit module applies operations (`operations.ts`) to a file. The caller gives them, or a language model writes
 * them from instructions. All work on the file happens in the sandbox.
 */
import { ContentError } from '@quire/blocks/content-error';
import type { TokenUsage } from '@quire/models/chat-model';
import type { EditConfig } from '../blocks.ts';
import type { Module, ModuleDeps, ModuleOutput, RunDocument } from '../module.ts';
import type { ModuleServices } from '../registry.ts';
import { operationsOn, type Operation } from './operations.ts';
import { planOperations } from './plan-operations.ts';
import type { OperationReport } from './report.ts';

interface EditResult {
  /** The operations in order, each with what it changed. */
  operations: (Operation & Omit<OperationReport, 'type'>)[];
  /** Number of output files; more than one only after a split. */
  fileCount: number;
}

/** Share of the progress that is reported once a model has written the operations, 0..1. */
const PLANNED = 0.5;

export function createEditModule(services: ModuleServices): Module<EditConfig, EditResult> {
  const { sandbox, limits, maxPixels, maxFileBytes } = services;
  return async (document, config, deps, signal) => {
    const { operations, usage, startsAt } = await operationsOf(document, config, deps, signal);
    const { file, options, siblings = [] } = document;
    const onProgress = (fraction: number): void => deps.onProgress(startsAt + fraction * (1 - startsAt));
    const edited = await sandbox.edit(
      { file, operations, siblings, options, limits, maxPixels, maxFileBytes, directory: deps.tempDir },
      { signal, onProgress },
    );
    const outputs = edited.outputs.map(({ name, contentType, path }, index): ModuleOutput => {
      const output = { name, contentType, content: { path } };
      return index === 0 ? { ...output, field: 'output' } : output;
    });
    const result = { operations: reported(operations, edited.operations), fileCount: outputs.length };
    return { result, outputs, usage };
  };
}

async function operationsOf(
  document: RunDocument,
  { operations, instructions }: EditConfig,
  deps: ModuleDeps,
  signal: AbortSignal,
): Promise<{ operations: Operation[]; usage: TokenUsage; startsAt: number }> {
  if (operations !== undefined) return { operations, usage: { inputTokens: 0, outputTokens: 0 }, startsAt: 0 };
  if (operationsOn(document.file.format).length === 0) {
    throw new ContentError('unsupported', `Files of type ${document.file.format} cannot be edited`);
  }
  if (deps.model === null) {
    throw new ContentError(
      'unsupported',
      'Editing by instructions needs a language model; configure one, or give operations',
    );
  }
  const planned = await planOperations(deps.model, document, instructions ?? '', signal);
  deps.onProgress(PLANNED);
  return { ...planned, startsAt: PLANNED };
}

function reported(operations: readonly Operation[], reports: readonly OperationReport[]): EditResult['operations'] {
  return operations.map((operation, index) => {
    const { type: _, ...changed } = reports[index] ?? { type: operation.type, changes: 0 };
    return Object.assign({}, operation, changed);
  });
}
