import type { z } from 'zod';
import type { RunFile, RunRecord } from '../../../database/tables.ts';
import type { ModuleOutcome, RunFileOutcome, RunOutput } from '@quire/process/outcome';
import { thumbnailPath } from '../../../domain/runs/outputs.ts';
import { iso, isoOrNull } from '../../schemas/common.ts';
import type { runFileShape, runShape } from './schemas.ts';

type Run = z.output<typeof runShape>;
type FileOutcome = NonNullable<Run['outcome']>['files'][number];

export function presentRun(record: RunRecord): Run {
  const { outcome } = record;
  return {
    id: record.id,
    workspaceId: record.workspace_id,
    status: record.status,
    files: record.files.map(({ name }) => name),
    config: record.config,
    progress: record.progress,
    error: record.error_type === null ? null : { type: record.error_type, message: record.error_message ?? '' },
    outcome:
      outcome === null
        ? null
        : { files: outcome.files.map((file, index) => presentFileOutcome(file, index + 1)), usage: outcome.usage },
    createdAt: iso(record.created_at),
    startedAt: isoOrNull(record.started_at),
    finishedAt: isoOrNull(record.finished_at),
    expiresAt: isoOrNull(record.expires_at),
    outputsDeletedAt: isoOrNull(record.outputs_deleted_at),
  };
}

export function presentRunFile({ name, sizeBytes, sha256 }: RunFile): z.output<typeof runFileShape> {
  return { name, sizeBytes, sha256 };
}

/** Presents the results of a file; each module defines the shape of its own result. */
function presentFileOutcome({ name, fileId, modules, errors, outputs }: RunFileOutcome, number: number): FileOutcome {
  const byPath = new Map(outputs.map((output) => [output.path, output]));
  const results = Object.entries(modules).map(([module, outcome]): [string, object] => {
    const drawn = module === 'parse' && fileId !== null;
    const thumbnail = drawn ? { thumbnail: { path: thumbnailPath(number), contentType: 'image/webp' } } : {};
    return [module, { ...presentModule(outcome, byPath), ...thumbnail }];
  });
  return {
    name,
    ...(Object.fromEntries(results) as Pick<FileOutcome, 'parse'>),
    errors: errors.map(({ module, type, message }) => ({ module, type, message })),
    outputs: outputs.map(presentOutput),
  };
}

function presentModule({ result, references }: ModuleOutcome, byPath: ReadonlyMap<string, RunOutput>): object {
  const referenced = Object.entries(references).flatMap(([field, path]) => {
    const output = byPath.get(path);
    return output === undefined ? [] : [[field, { ...presentOutput(output), ...inlineContent(output) }]];
  });
  return { ...result, ...Object.fromEntries(referenced) };
}

const presentOutput = ({ path, contentType, sizeBytes }: RunOutput) => ({ path, contentType, sizeBytes });

function inlineContent({ contentType, text }: RunOutput): { content?: unknown } {
  if (text === null) return {};
  if (!contentType.startsWith('application/json')) return { content: text };
  try {
    return { content: JSON.parse(text) };
  } catch {
    // The content of an edited file may not match its name.
    return { content: text };
  }
}
