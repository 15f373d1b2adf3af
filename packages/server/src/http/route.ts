/**
 * How a route is declared: method, path, who may call it, what it takes and gives, and a handler. The declaration is
 * data: `register-routes.ts` serves it, `openapi/` describes it, and tests make matrices of it.
 *
 * Path parameters are UUIDs, written `{name}`; those with a loader (`Records`) are looked up before the handler runs.
 * `{path}` is the rest of the URL, slashes and all.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type {
  ApiKeyRecord,
  ChatRecord,
  CollectionRecord,
  DeliveryRecord,
  DocumentRecord,
  MessageRecord,
  RunRecord,
  WebhookRecord,
} from '../database/tables.ts';
import type { ConfigurationRecord } from '../domain/configurations/repository.ts';
import type { ErrorDetail } from '../errors.ts';
import type { Upload } from '../domain/documents/types.ts';
import type { Principal } from '../domain/keys/types.ts';
import type { ListQuery } from '../shared/list.ts';

/** The records that path parameters stand for, by the parameter's name. */
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
}

type ParamName<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParamName<Rest>
  : never;

/** `open`: without a key; `any`: any valid key; the others as in the contract, each including the one before. */
export type RoutePermission = 'open' | 'any' | 'read' | 'write' | 'admin' | 'root';

/**
 * How a route takes files: one as a multipart form, as the raw body, as a JSON body's `content`, as either of the first
 * two (`file`); many in a form beside the fields of the body (`run`).
 */
export type UploadKind = 'multipart' | 'binary' | 'raw' | 'file' | 'run';

export interface ReceivedUpload {
  upload: Upload;
  name?: string | undefined;
  metadata?: Record<string, unknown> | undefined;
}

export interface RouteContext<Path extends string, Query, Body> {
  params: Record<ParamName<Path>, string>;
  records: Pick<Records, Extract<ParamName<Path>, keyof Records>>;
  query: Query;
  body: Body;
  principal: Principal;
  /** Of list routes: where to continue and how much. */
  page: ListQuery;
  /** Of upload routes: the file, on disk until the handler is done. */
  received: ReceivedUpload;
  /** Of routes that take a run's form: its files, on disk until the handler is done. */
  uploads: readonly Upload[];
  /** Aborted when the client goes away. */
  signal: AbortSignal;
  request: FastifyRequest;
  reply: FastifyReply;
}

/** What a handler returns: a status and its `data`, or the reply itself when it has sent something else than JSON. */
export type Answer<T> = { status: number; data: T } | FastifyReply;

export const ok = <T>(data: T): Answer<T> => ({ status: 200, data });
export const created = <T>(data: T): Answer<T> => ({ status: 201, data });
export const accepted = <T>(data: T): Answer<T> => ({ status: 202, data });

export interface RouteDescription<Path extends string = string> {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  path: Path;
  /** Name of the operation, camelCase, unique: what client libraries call it. */
  operationId: string;
  summary: string;
  description?: string;
  tag: string;
  permission: RoutePermission;
  /** Keys limited to collections may call it although its path names none; it looks at `principal.collectionIds`. */
  limitedKeys?: boolean;
  /** The collection may be known from half a second ago: the handler makes sure that it is still there. */
  recentRecords?: boolean;
  /** Answered in a few milliseconds and many times a second (see `plugins/observe.ts`). */
  brief?: boolean;
  /** May also be called with a signed link (`expires` and `signature` in the query) and no key. */
  signedLinks?: boolean;
  /** With this query flag set the route needs `admin`. */
  adminQuery?: string;
  upload?: UploadKind;
  /** Of a run's form: the parts that are fields of the body, each as JSON; all others are files. */
  formFields?: readonly string[];
  /** The answer's `data`; a content type for answers that are not JSON; undefined for an answer without a body. */
  response: z.ZodType | string;
  /** Cheap limits on the size of the body, checked before its validation, which then does not take place. */
  checkSize?: (body: unknown) => ErrorDetail[];
  /** Whether the answer is a file of any accepted format, with its content type. */
  anyFormat?: boolean;
  /** Of an answer that is not JSON: the `data` of the JSON that may be asked for in its place. */
  alternative?: z.ZodType;
  /** Of a list: `response` is one row. */
  list?: boolean;
  /** Statuses of success, 200 by default. */
  statuses?: readonly number[];
}

/** A declared route, whatever the types of its query and body are. */
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
  definition: Omit<RouteDescription<Path>, 'response' | 'list'> & {
    response: Response;
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

/** The names in `{…}` of a path, in order. */
export function paramNames(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '');
}
