import type { Embedder, Model, Parser, Query, Schemas } from '../api.ts';
import { path, type CallOptions, type Transport } from '../transport.ts';
import { SoftCrud } from './crud.ts';

/** The stored settings of language models, embedders or parsers. */
export class Configurations<R, Create, Update> extends SoftCrud<
  R,
  Create,
  Update,
  Query<'listModels'>,
  Query<'deleteModel'>
> {
  constructor(transport: Transport, kind: string) {
    super(transport, `/v1/w/{ws}/config/${kind}`);
  }

  /** Sends one tiny request to the provider. */
  test(id: string, options: CallOptions = {}): Promise<Schemas['ConfigurationTest']> {
    return this.call('POST', path`/${id}/test`, options);
  }
}

export type Models = Configurations<Model, Schemas['CreateModelRequest'], Schemas['UpdateModelRequest']>;
export type Embedders = Configurations<Embedder, Schemas['CreateEmbedderRequest'], Schemas['UpdateEmbedderRequest']>;
export type Parsers = Configurations<Parser, Schemas['CreateParserRequest'], Schemas['UpdateParserRequest']>;
