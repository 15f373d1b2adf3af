/** Process runs: what clients deal with, their states, their end. */
import type { ConfigurationService } from '../domain/configurations/service.ts';
import type { ParserChoices } from '../domain/configurations/parser-choice.ts';
import type { InspectUpload } from '../domain/documents/types.ts';
import { checkBlocks } from '../domain/runs/check-blocks.ts';
import { RunOutputs } from '../domain/runs/outputs.ts';
import { RunProcessing } from '../domain/runs/processing.ts';
import { RunReaper } from '../domain/runs/reaper.ts';
import { RunService } from '../domain/runs/service.ts';
import { storageKeys } from '../storage/layout.ts';
import { uploadedFile } from '../workers/process-run.ts';
import type { Foundation } from './foundation.ts';
import type { DrawThumbnail } from './thumbnails.ts';

interface RunParts {
  inspectFile: InspectUpload;
  drawThumbnail: DrawThumbnail;
  configurations: ConfigurationService;
  parsers: ParserChoices;
}

export function buildRuns(parts: Foundation, { inspectFile, drawThumbnail, configurations, parsers }: RunParts) {
  const { config, queue, store, notifications } = parts;
  const database = parts.database.db;
  const { deadlineMs, runRetentionMs: retentionMs } = config.processing;
  const runProcessing = new RunProcessing({
    database: parts.workDatabase.db,
    notifications,
    deadlineMs,
    retentionMs,
  });
  return {
    runs: new RunService({
      database,
      queue,
      store,
      notifications,
      inspectUpload: inspectFile,
      checkBlocks: (workspaceId, blocks) => checkBlocks(workspaceId, blocks, { configurations, parsers }),
      retentionMs,
      quota: parts.quota,
      maxFiles: config.limits.runFiles,
      onBatchFailed: (error) => parts.logger.warn({ err: error }, 'a batch of runs could not be committed'),
    }),
    runOutputs: new RunOutputs({
      store,
      drawThumbnail: (run, file) =>
        drawThumbnail(storageKeys.runInput(run, file.id), (path) => uploadedFile(file, path), null),
    }),
    runProcessing,
    runReaper: new RunReaper({
      database,
      queue,
      store,
      notifications,
      processing: runProcessing,
      deadlineMs,
      retentionMs,
    }),
  };
}
