/**
 * Declares routes: method, path, permission, input, output and handler. The declaration is data: `register-routes.ts`
 * serves it, `openapi/` describes it, and tests build matrices from it.
 *
 * Path parameters are UUIDs, written `{name}`; records of those with a loader (`Records`) are read before the handler
 * runs. `{page}` and `{file}` are numbers from 1. `{path}` is the rest of the URL, including slashes.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type {
  ApiKeyRecord,
  ChatRecord,
  CollectionRecord,
  ConnectorRecord,
  DeliveryRecord,
  DocumentRecord,
  MessageRecord,
  RunRecord,
  SyncRecord,
  WebhookRecord,
} from '../database/tables.ts';
import type { ConfigurationRecord } from '../domain/configurations/repository.ts';
import type { ErrorDetail } from '../errors.ts';
import type { DocumentFields, Upload } from '../domain/documents/types.ts';
import type { Principal } from '../domain/keys/types.ts';
import type { ListQuery } from '../shared/list.ts';

/** The records that path parameters identify, by parameter name. */
export interface Records {
  col: CollectionRecord;
  doc_id: DocumentRecord;
  key_id: ApiKeyRecord;
  model_id: ConfigurationRecord;
  embedder_id: ConfigurationRecord;
  parser_id: ConfigurationRecord;
  chat_id: ChatRecord;
  message_id: MessageRecord;
  run_id: RunRecord;
  webhook_id: WebhookRecord;
  delivery_id: DeliveryRecord;
  connector_id: ConnectorRecord;
  sync_id: SyncRecord;
}

type ParamName<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParamName<Rest>
  : never;

/** `open` needs no key, `any` any valid key; the others are the contract's, each including the one before. */
export type RoutePermission = 'open' | 'any' | 'read' | 'write' | 'admin' | 'root';

/**
 * Form in which a route takes files: one as a multipart form, as the raw body, as `content` of a JSON body, or as
 * either of the first two (`file`); several in a form together with the fields of the body (`run`).
 */
export type UploadKind = 'multipart' | 'binary' | 'raw' | 'file' | 'run';

export interface ReceivedUpload extends DocumentFields {
  upload: Upload;
}

export interface RouteContext<Path extends string, Query, Body> {
  params: Record<ParamName<Path>, string>;
  records: Pick<Records, Extract<ParamName<Path>, keyof Records>>;
  query: Query;
  body: Body;
  principal: Principal;
  /** Start and size of the page; list routes only. */
  page: ListQuery;
  /** Returns a cursor of a list with the path parameters of this request, for its page after a position. */
  cursorOf: (listPath: string, filters: Record<string, unknown>, position: string) => string;
  /** The uploaded file, on disk until the handler ends; upload routes only. */
  received: ReceivedUpload;
  /** The files of a run's form, on disk until the handler ends; `run` uploads only. */
  uploads: readonly Upload[];
  /** Aborted when the client disconnects. */
  signal: AbortSignal;
  request: FastifyRequest;
  reply: FastifyReply;
}

/** Result of a handler: a status and its `data`, or the reply if the handler has sent the answer itself. */
export type Answer<T> = { status: number; data: T } | FastifyReply;

export const ok = <T>(data: T): Answer<T> => ({ status: 200, data });
export const created = <T>(data: T): Answer<T> => ({ status: 201, data });
export const accepted = <T>(data: T): Answer<T> => ({ status: 202, data });

export interface RouteDescription<Path extends string = string> {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  path: Path;
  /** Unique name of the operation in camelCase; client libraries use it as function name. */
  operationId: string;
  summary: string;
  description?: string;
  tag: string;
  permission: RoutePermission;
  /** Whether keys limited to collections may call it without one in its path; it checks `principal.collectionIds`. */
  limitedKeys?: boolean;
  /**
   * Whether tokens with a filter may call it; the handler then applies `scopeOf(principal)` to all that it shows and
   * changes. A GET below a document needs no declaration: the document is checked before the handler runs.
   */
  scoped?: boolean;
  /** Whether the collection may come from a cache of half a second; the handler then checks that it still exists. */
  recentRecords?: boolean;
  /** Whether it answers within milliseconds and often, so that it has no log context (see `plugins/observe.ts`). */
  brief?: boolean;
  /**
   * Whether a successful call is recorded in the audit log; by default every method but GET, without brief routes. The
   * entry is written in the first transaction of the handler.
   */
  audit?: boolean;
  /** Whether a signed link (`expires` and `signature` in the query) may replace the key. */
  signedLinks?: boolean;
  /** Name of the query flag with which the route needs `admin`. */
  adminQuery?: string;
  upload?: UploadKind;
  /** Whether the handler reads the body itself; a route without `body` refuses one otherwise. */
  readsBody?: boolean;
  /** Returns the memory that the answer may take, so that it is built only when there is room. */
  answerBytes?: (query: Record<string, unknown>, body: unknown) => number;
  /** Parts of a run's form that are fields of the body, each as JSON; all others are files. */
  formFields?: readonly string[];
  /** Schema of the answer's `data`, or the content type of an answer that is not JSON. */
  response: z.ZodType | string;
  /** Cheap check of the size of the body before its validation, which is skipped if the check fails. */
  checkSize?: (body: unknown) => ErrorDetail[];
  /** Whether the answer may be a rendering of a document, which can be too large (413). */
  renders?: boolean;
  /** Whether the answer is a file of any accepted format, with its content type. */
  anyFormat?: boolean;
  /** Schema of `data` in the JSON that can be requested instead of an answer that is not JSON. */
  alternative?: z.ZodType;
  /** Whether the answer is a list; `response` then describes one row. */
  list?: boolean;
  /** Statuses of successful answers; 200 by default. */
  statuses?: readonly number[];
}

/** A declared route with the types of its query and body erased. */
export interface Route extends RouteDescription {
  query?: z.ZodObject;
  body?: z.ZodType;
  handler: (context: RouteContext<string, unknown, unknown>) => Promise<Answer<unknown>> | Answer<unknown>;
}

type Data<Response> = Response extends z.ZodType ? z.output<Response> : never;

/** Declares a route; the handler's context is typed by path, query and body, its answer by `response`. */
export function route<
  const Path extends string,
  Response extends z.ZodType | string,
  Query extends z.ZodObject = z.ZodObject,
  Body extends z.ZodType = z.ZodUndefined,
  const List extends boolean = false,
>(
  definition: Omit<RouteDescription<Path>, 'response' | 'list' | 'answerBytes'> & {
    response: Response;
    answerBytes?: (query: z.output<Query>, body: z.output<Body>) => number;
    list?: List;
    query?: Query;
    body?: Body;
    handler: (
      context: RouteContext<Path, z.output<Query>, z.output<Body>>,
    ) => Promise<Answer<List extends true ? ListData<Data<Response>> : Data<Response>>>;
  },
): Route {
  return definition as unknown as Route;
}

export interface ListData<T> {
  items: T[];
  next: string | null;
  total: number;
}

const NUMBER_PARAMS: ReadonlySet<string> = new Set(['page', 'file']);

/** Whether the path parameter is a number from 1. */
export const isNumberParam = (name: string): boolean => NUMBER_PARAMS.has(name);

/** Returns the parameter names of a path, in order. */
export function paramNames(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '');
}
