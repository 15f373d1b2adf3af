/** Builds the chat models, embedders and parsers that configurations name, local and of outside providers. */
import { CallLimits } from '../database/call-limits.ts';
import type { RateBudgets } from '../database/rate-budgets.ts';
import type { CollectionIndexRecord } from '../database/tables.ts';
import { ConfiguredChatModels } from '../domain/configurations/chat-models.ts';
import { DenseEmbedders } from '../domain/configurations/dense-embedders.ts';
import { RemoteIndexEmbedders } from '../domain/configurations/remote-index-embedders.ts';
import { DocumentParsers } from '../domain/configurations/document-parsers.ts';
import { Reranking } from '../domain/search/reranking.ts';
import type { Embedder } from '@quire/models/embedder';
import type { ProviderCallRecord } from '@quire/models/provider-observer';
import { PROVIDERS } from '@quire/models/providers/registry';
import { systemClock } from '@quire/models/remote/clock';
import { RemoteChatModels } from '@quire/models/remote/remote-chat-models';
import { ProviderConnections } from '@quire/models/remote/provider-connections';
import { RequestGates } from '@quire/models/remote/request-gates';
import type { SecretBox } from '../shared/secret-box.ts';
import { recordProviderCall } from '../tracing.ts';
import type { Foundation } from './foundation.ts';

function sharedCallLimits({ database, logger }: Foundation, budgets: RateBudgets): CallLimits {
  return new CallLimits({
    database: database.db,
    budgets,
    onError: (error) => logger.warn({ err: error }, 'a slot of a provider could not be renewed or freed'),
  });
}

export function buildProviders(parts: Foundation, secretBox: SecretBox) {
  const { config, outbound } = parts;
  const database = parts.database.db;
  const observe = (call: ProviderCallRecord): void => {
    parts.metrics.observeProviderCall(call);
    recordProviderCall(call);
  };
  const sharedLimits = parts.rateBudgets && sharedCallLimits(parts, parts.rateBudgets);
  const chatModels = new ConfiguredChatModels({
    database,
    secretBox,
    local: parts.localChatModels,
    remote: new RemoteChatModels(PROVIDERS, { outbound, clock: systemClock, observe, sharedLimits }),
  });
  const gates = new RequestGates(systemClock, sharedLimits);
  const connections = new ProviderConnections({ providers: PROVIDERS, outbound, clock: systemClock, gates, observe });
  const remote = new RemoteIndexEmbedders({ database, secretBox, connections });
  const embedders = new DenseEmbedders({ database, source: parts.localEmbedders, remote });
  const embedderFor = (index: CollectionIndexRecord, signal: AbortSignal): Promise<Embedder | null> =>
    embedders.of(index, signal);
  const documentParsers = new DocumentParsers({
    database,
    secretBox,
    connections,
    limitPixels: config.limits.pixels,
    tessdataDir: config.tessdataDir,
  });
  const reranking = new Reranking({ database, secretBox, connections, local: parts.localRerankers });
  return { chatModels, reranking, connections, embedders, embedderFor, documentParsers };
}
