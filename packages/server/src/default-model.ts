/**
 * Resolves the embedding model of new collections once in the life of a database, at its first start: from the
 * operator's folder, the cache or the hub, or else the shipped static model. The result is recorded and never changes;
 * missing files of a recorded model are downloaded again.
 */
import { progressLine, type ProgressOutput } from './download-progress.ts';
import type { DenseEmbedders } from './domain/configurations/dense-embedders.ts';
import type { Logger } from './logger.ts';
import { STATIC_NAME } from '@quire/models/local/catalogue';
import { ModelResolver, type ResolverOptions } from '@quire/models/local/model-resolver';

export interface DefaultModelDeps {
  embedders: Pick<DenseEmbedders, 'recordedDefault' | 'defaultModel'>;
  /** Options that may download; null if downloads are turned off. */
  resolver: ResolverOptions | null;
  logger: Logger;
  output: ProgressOutput;
}

/** Time without any byte from any source after which the machine counts as offline. */
const SILENCE_MS = 12_000;
const STALL_MS = 30_000;
/** Limit of the conversion to a graph, which takes 5 s on one core for the model of 90 MB. */
const PREPARING_MS = 300_000;

/** Rejects only with the signal's reason. */
export async function resolveDefaultModel(deps: DefaultModelDeps, signal: AbortSignal): Promise<void> {
  const { embedders, resolver, logger } = deps;
  if (resolver === null) return;
  if ((await embedders.recordedDefault()) === undefined) await download(resolver, deps, signal);
  const { modelId, source } = await embedders.defaultModel();
  logger.info({ model: modelId, source }, 'the embedding model of new collections');
  if (!modelId.startsWith(`${STATIC_NAME}/`)) void restore(modelId, resolver, logger, signal);
}

async function download(resolver: ResolverOptions, deps: DefaultModelDeps, signal: AbortSignal): Promise<void> {
  const giveUp = new AbortController();
  const abort = (): void => giveUp.abort(new Error('no model could be downloaded in time'));
  let timer = setTimeout(abort, SILENCE_MS);
  const allow = (ms: number): void => {
    clearTimeout(timer);
    timer = setTimeout(abort, ms);
  };
  const show = progressLine(deps.output);
  const options: ResolverOptions = {
    ...resolver,
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
    await new ModelResolver(options).resolve('default', AbortSignal.any([signal, giveUp.signal]));
  } catch (error) {
    signal.throwIfAborted();
    deps.logger.info({ err: error }, 'no embedding model was downloaded; the one that ships is used');
  } finally {
    clearTimeout(timer);
  }
}

/** Downloads the recorded model if it is missing here, in the background; until then searches use terms only. */
async function restore(modelId: string, resolver: ResolverOptions, logger: Logger, signal: AbortSignal): Promise<void> {
  try {
    const { source } = await new ModelResolver(resolver).reopen(modelId, signal);
    logger.debug({ model: modelId, source }, 'the recorded embedding model is here');
  } catch (error) {
    if (!signal.aborted) logger.error({ err: error, model: modelId }, 'the recorded embedding model is not available');
  }
}
