/** Names for the generated types. */
import type { components, operations } from './generated/api.ts';

export type Schemas = components['schemas'];
export type OperationId = keyof operations;

/** Query parameters of an operation. */
export type Query<O extends OperationId> = operations[O] extends { parameters: { query?: infer Q } }
  ? Exclude<Q, undefined>
  : never;

/** A schema by its name; any record while the API has none of that name. */
export type Known<N extends string> = N extends keyof Schemas ? Schemas[N] : Record<string, unknown>;
/** Query parameters of an operation by its name; any while the API has none of that name. */
export type QueryOf<O extends string> = O extends OperationId ? Query<O> : Record<string, unknown>;

export type Workspace = Schemas['Workspace'];
export type Principal = Schemas['Principal'];
export type Key = Schemas['Key'];
export type NewKey = Schemas['NewKey'];
export type Collection = Schemas['Collection'];
export type Document = Schemas['Document'];
export type DocumentDetail = Schemas['DocumentDetail'];
export type Block = Schemas['Block'];
export type Chunk = Schemas['Chunk'];
export type Filter = Schemas['DocumentFilter'];
export type SearchHit = Schemas['SearchHit'];
export type SearchAnswer = Schemas['SearchAnswer'];
export type Chat = Schemas['Chat'];
export type Message = Schemas['Message'];
export type Citation = Schemas['Citation'];
export type Conversation = Schemas['Conversation'];
export type Run = Schemas['Run'];
export type RunFileOutcome = Schemas['RunFileOutcome'];
export type RunOutput = Schemas['RunOutput'];
export type Model = Schemas['Model'];
export type Embedder = Schemas['Embedder'];
export type Parser = Schemas['Parser'];
export type Webhook = Schemas['Webhook'];
export type Delivery = Schemas['Delivery'];
export type DeliveryDetail = Schemas['DeliveryDetail'];
