/**
 * Resolves the embedding model of new collections once in the life of a database, at its first start: from the
 * operator's folder, the cache or the hub, or else the shipped static model. The result is recorded and never changes;
 * missing files of a recorded model are downloaded again.
 */
import { progressLine, type ProgressOutput } from './download-progress.ts';
import type { DenseEmbedders } from './domain/configurations/dense-embedders.ts';
import type { Logger } from './logger.ts';
import type { SharedModels } from './shared-models.ts';
import { STATIC_NAME } from '@quire/models/local/catalogue';
import { ModelResolver, type ResolverOptions } from '@quire/models/local/model-resolver';

export interface DefaultModelDeps {
  embedders: Pick<DenseEmbedders, 'recordedDefault' | 'defaultModel'>;
  /** Options that may download; null if downloads are turned off. */
  resolver: ResolverOptions | null;
  logger: Logger;
  output: ProgressOutput;
  /** Copies of models that processes share; null for a service on one machine. */
  shared: SharedModels | null;
}

/** Time without any byte from any source after which the machine counts as offline. */
const SILENCE_MS = 12_000;
const STALL_MS = 30_000;
/** Limit of the conversion to a graph, which takes 5 s on one core for the model of 90 MB. */
const PREPARING_MS = 300_000;

/** Rejects only with the signal's reason. */
export async function resolveDefaultModel(deps: DefaultModelDeps, signal: AbortSignal): Promise<void> {
  const { embedders, resolver, shared, logger } = deps;
  if (resolver === null && shared === null) return;
  const known = await embedders.recordedDefault();
  if (resolver === null && known === undefined) return;
  if (resolver !== null && known === undefined) await download(resolver, deps, signal);
  const { modelId, source } = known ?? (await embedders.defaultModel());
  logger.info({ model: modelId, source }, 'the embedding model of new collections');
  if (modelId.startsWith(`${STATIC_NAME}/`)) return;
  const bring = (): Promise<void> => restore(modelId, deps, signal);
  void (shared === null ? bring() : shared.bring(bring));
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

/**
 * Brings the recorded model if it is missing here, in the background: from the object store, or else by download. Until
 * then searches use terms only.
 */
async function restore(
  modelId: string,
  { resolver, shared, logger }: DefaultModelDeps,
  signal: AbortSignal,
): Promise<void> {
  const warn = (message: string) => (error: unknown) => {
    if (!signal.aborted) logger.warn({ err: error, model: modelId }, message);
  };
  await shared?.fetch(modelId, signal).catch(warn('the embedding model could not be read from the object store'));
  try {
    if (resolver !== null) await new ModelResolver(resolver).reopen(modelId, signal);
    await shared?.keep(modelId, signal).catch(warn('the embedding model could not be put into the object store'));
    logger.debug({ model: modelId }, 'the recorded embedding model is here');
  } catch (error) {
    if (!signal.aborted) logger.error({ err: error, model: modelId }, 'the recorded embedding model is not available');
  }
}
