/** Tests a configuration with one small call. A failure is a result, not an error. */
import { ApiError, apiError, deleted } from '../../errors.ts';
import { ContentError } from '@quire/blocks/content-error';
import { analyse } from '@quire/text/language/analyse';
import type { ChatModel } from '@quire/models/chat-model';
import type { DocumentParser } from '@quire/models/document-parser';
import type { PagePicture } from '@quire/blocks/page-reading';
import type { ProviderConnections } from '@quire/models/remote/provider-connections';
import { isRemote } from '@quire/models/providers/registry';
import { embedRemotely } from '@quire/models/remote/remote-embedder';
import { ForeignSecretError, type SecretBox } from '../../shared/secret-box.ts';
import { openKey } from './api-key.ts';
import type { ConfiguredChatModels } from './chat-models.ts';
import type { DenseEmbedders } from './dense-embedders.ts';
import type { DocumentParsers } from './document-parsers.ts';
import type { ConfigurationRecord } from './repository.ts';
import type { ConfigurationTest, ProviderConfig } from './types.ts';

export interface ConfigurationTesterDeps {
  secretBox: SecretBox;
  /** Connections without retries, which report the first failure. */
  connections: ProviderConnections;
  local: Pick<DenseEmbedders, 'localModel' | 'openLocal'>;
  chatModels: Pick<ConfiguredChatModels, 'of'>;
  parsers: Pick<DocumentParsers, 'outside'>;
  samplePage: () => Promise<PagePicture>;
  /** Reads a small text with the built-in parser; resolves to the number of its chunks. */
  parseSample: (text: string, signal: AbortSignal) => Promise<number>;
  /** Milliseconds. */
  now: () => number;
}

const SAMPLE = 'The lease ends in May.';
const QUESTION = `${SAMPLE} When does it end? Answer with one word.`;
/**
 * Maximum number of output tokens: enough for an outside model that reasons first, few for a local model on the CPU.
 */
const MAX_ANSWER_TOKENS = { outside: 256, local: 8 };
/** Deadline of a test, in ms: the client waits for the answer. */
const DEADLINE_MS = 60_000;

type Probe = (signal: AbortSignal) => Promise<string>;

export class ConfigurationTester {
  readonly #deps: ConfigurationTesterDeps;

  constructor(deps: ConfigurationTesterDeps) {
    this.#deps = deps;
  }

  async test(record: ConfigurationRecord, signal: AbortSignal): Promise<ConfigurationTest> {
    if (record.deleted_at !== null) throw deleted('The configuration is deleted', { id: record.id });
    const start = this.#deps.now();
    const timeout = AbortSignal.timeout(DEADLINE_MS);
    const outcome = await this.#try(record, AbortSignal.any([signal, timeout])).then(
      (message) => ({ ok: true, message }),
      (error: unknown) => {
        const message = timeout.aborted ? `No answer within ${DEADLINE_MS / 1000} s` : reasonOf(error);
        if (message === undefined) throw error;
        return { ok: false, message };
      },
    );
    return { ok: outcome.ok, latencyMs: Math.round(this.#deps.now() - start), message: outcome.message };
  }

  async #try(record: ConfigurationRecord, signal: AbortSignal): Promise<string> {
    return this.#probeOf(record)(signal);
  }

  #probeOf(record: ConfigurationRecord): Probe {
    const config = record.config as unknown as ProviderConfig;
    const { provider } = config;
    if (record.kind === 'models') return this.#chat(record);
    if (record.kind === 'embedders') {
      if (provider === 'bm25') return async () => `${analyse(SAMPLE, config.language ?? 'en').length} terms`;
      if (provider === 'local') return this.#localEmbedding(config.model ?? 'default');
      if (isRemote('embedders', provider)) return this.#embedding(record, config);
    }
    if (record.kind === 'parsers' && provider === 'service') {
      return async (signal) => `${await this.#deps.parseSample(SAMPLE, signal)} passage`;
    }
    const outside =
      record.kind === 'parsers' ? this.#deps.parsers.outside(record, config, this.#deps.connections) : null;
    if (outside !== null) return this.#reading(outside);
    const error = `${record.kind} of the provider '${provider}' cannot be called by this version yet`;
    throw apiError(422, 'value_error', `Value error, ${error}`, { ctx: { error } });
  }

  #chat(record: ConfigurationRecord): Probe {
    return async (signal) => {
      const model = await this.#deps.chatModels.of(record);
      if (model === null) return 'Answers are quoted from the documents found';
      const isLocal = (record.config as unknown as ProviderConfig).provider === 'local';
      return answerOf(model, isLocal ? MAX_ANSWER_TOKENS.local : MAX_ANSWER_TOKENS.outside, signal);
    };
  }

  #reading(parser: DocumentParser): Probe {
    return async (signal) => {
      const { parts, warnings } = await parser.readPage(await this.#deps.samplePage(), signal);
      const characters = parts.reduce((sum, { markdown }) => sum + markdown.trim().length, 0);
      return [`A page was read: ${characters} characters`, ...warnings.map(({ message }) => message)].join('. ');
    };
  }

  #localEmbedding(name: string): Probe {
    return async (signal) => {
      const { modelId, source } = await this.#deps.local.localModel(name);
      const embedder = await this.#deps.local.openLocal(modelId);
      const vector = await embedder.embedQuery(SAMPLE, signal);
      return `A vector of ${vector.length} dimensions by ${modelId}${source === undefined ? '' : `, ${source}`}`;
    };
  }

  #embedding(record: ConfigurationRecord, config: ProviderConfig): Probe {
    const { model = '' } = config;
    const apiKey = openKey(this.#deps.secretBox, record);
    const settings = { ...config, configurationId: record.id, model, apiKey };
    return async (signal) => {
      const [vector] = await embedRemotely(settings, this.#deps.connections, [SAMPLE], 'query', signal);
      return `A vector of ${vector?.length ?? 0} dimensions`;
    };
  }
}

/** Returns why the configuration does not work, for its owner; undefined for an internal failure. */
function reasonOf(error: unknown): string | undefined {
  if (error instanceof ContentError) return error.message;
  if (error instanceof ForeignSecretError)
    return 'The stored API key cannot be decrypted with this secret key: set it again';
  if (!(error instanceof ApiError) || error.status !== 422) return undefined;
  return error.details.map(({ msg }) => msg.replace(/^Value error, /, '')).join('; ');
}

/** Returns a sentence for a model whose context window is only assumed; empty otherwise. */
const contextWarning = ({ isContextAssumed, contextTokens }: ChatModel): string =>
  isContextAssumed === true
    ? `. Its context window is unknown and assumed to be ${contextTokens} tokens: set contextTokens`
    : '';

async function answerOf(model: ChatModel, maxOutputTokens: number, signal: AbortSignal): Promise<string> {
  const request = { turns: [{ role: 'user', text: QUESTION }], maxOutputTokens, attempts: 1 } as const;
  for await (const event of model.stream(request, signal)) {
    if (event.type === 'end') {
      const { inputTokens, outputTokens } = event.usage;
      return `${model.modelId} answered: ${inputTokens} tokens in, ${outputTokens} out${contextWarning(model)}`;
    }
  }
  return `${model.modelId} answered`;
}
