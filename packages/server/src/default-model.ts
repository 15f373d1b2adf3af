/**
 * The embedding model of new collections, resolved once in the life of a database, at its first start: downloaded where
 * there is a way, with its progress shown, else the static one that ships. What was recorded stays, and is fetched again
 * where its files are missing.
 */
import { progressLine, type ProgressOutput } from './download-progress.ts';
import type { DenseEmbedders } from './domain/configurations/dense-embedders.ts';
import type { Logger } from './logger.ts';
import { STATIC_NAME } from '@quire/models/local/catalogue';
import { ModelLadder, type LadderOptions } from '@quire/models/local/model-ladder';

export interface DefaultModelDeps {
  embedders: Pick<DenseEmbedders, 'recordedDefault' | 'defaultModel'>;
  /** With ways to download; null where nothing is to be downloaded. */
  ladder: LadderOptions | null;
  logger: Logger;
  output: ProgressOutput;
}

/** Without a byte by then, all sources together, the machine counts as offline. */
const SILENCE_MS = 12_000;
const STALL_MS = 30_000;
/** Weights are turned into a graph: 5 s on one core for the model of 90 MB. */
const PREPARING_MS = 300_000;

/** Rejects only with the signal's reason. */
export async function resolveDefaultModel(deps: DefaultModelDeps, signal: AbortSignal): Promise<void> {
  const { embedders, ladder, logger } = deps;
  if (ladder === null) return;
  if ((await embedders.recordedDefault()) === undefined) await download(ladder, deps, signal);
  const { modelId, source } = await embedders.defaultModel();
  logger.info({ model: modelId, source }, 'the embedding model of new collections');
  if (!modelId.startsWith(`${STATIC_NAME}/`)) void restore(modelId, ladder, logger, signal);
}

async function download(ladder: LadderOptions, deps: DefaultModelDeps, signal: AbortSignal): Promise<void> {
  const giveUp = new AbortController();
  const abort = (): void => giveUp.abort(new Error('no model could be downloaded in time'));
  let timer = setTimeout(abort, SILENCE_MS);
  const allow = (ms: number): void => {
    clearTimeout(timer);
    timer = setTimeout(abort, ms);
  };
  const show = progressLine(deps.output);
  const options: LadderOptions = {
    ...ladder,
    onStep: (step) => {
      deps.logger.info(step);
      if (step.endsWith(': preparing')) allow(PREPARING_MS);
    },
    onProgress: (progress) => {
      if (progress.receivedBytes > 0) allow(STALL_MS);
      show(progress);
    },
  };
  try {
    await new ModelLadder(options).resolve('default', AbortSignal.any([signal, giveUp.signal]));
  } catch (error) {
    signal.throwIfAborted();
    deps.logger.info({ err: error }, 'no embedding model was downloaded; the one that ships is used');
  } finally {
    clearTimeout(timer);
  }
}

/** Another process of this database, or a lost cache. Nobody waits: until it is there, searches go by terms. */
async function restore(modelId: string, ladder: LadderOptions, logger: Logger, signal: AbortSignal): Promise<void> {
  try {
    const { source } = await new ModelLadder(ladder).reopen(modelId, signal);
    logger.debug({ model: modelId, source }, 'the recorded embedding model is here');
  } catch (error) {
    if (!signal.aborted) logger.error({ err: error, model: modelId }, 'the recorded embedding model is not to be had');
  }
}
