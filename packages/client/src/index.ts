export { Quire, type QuireOptions } from './quire.ts';
export * from './errors.ts';
export {
  createWebhookSecret,
  verifyWebhook,
  WebhookError,
  type VerifyOptions,
  type WebhookEvent,
  type WebhookHeaders,
} from './webhook.ts';
export { mintToken, type TokenRequest } from './token.ts';
export type * from './api.ts';
export type { CallOptions, Fetch, RawAnswer, Request } from './transport.ts';
export type { Collectable, Listing, Page } from './listing.ts';
export type { FileInput } from './upload/source.ts';
export type { OnProgress } from './upload/progress.ts';
export type { Duplicates } from './upload/send-file.ts';
export type { ManyInput, UploadMany, UploadManyOptions, UploadOutcome } from './upload/upload-many.ts';
export type { ReadyOptions, Upload } from './upload/upload.ts';
export type { Documents, UploadOptions } from './resources/documents.ts';
export type { DocumentHandle, DocumentReference } from './resources/document-handle.ts';
export type { Box, PageBox, PageOptions, PageSize, PictureOptions } from './resources/pages.ts';
export type { CollectionHandle, Collections } from './resources/collections.ts';
export type { ChatHandle, Chats } from './resources/chats.ts';
export type { Configurations, Embedders, Models, Parsers } from './resources/configurations.ts';
export type { CreateRunOptions, Runs } from './resources/runs.ts';
export type { Connector, ConnectorItem, Connectors, ConnectorSync, ConnectorTest } from './resources/connectors.ts';
export type { Deliveries, Webhooks } from './resources/webhooks.ts';
export type { Audit, AuditEntry, Keys, Workspaces } from './resources/workspaces.ts';
export type { ProcessedFile, ProcessedRun, ProcessOptions, ProcessRequest } from './process/process.ts';
export type { Extracted, ExtractionSchema, JsonSchema, StandardSchema } from './process/schema.ts';
export type { Answer } from './chat/answer.ts';
export type { AnswerEvent, ToolPart } from './chat/events.ts';
export type { FollowOptions, LiveEvent } from './sse.ts';
