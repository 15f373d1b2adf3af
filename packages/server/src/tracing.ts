/**
 * Traces of requests, jobs and calls of providers, sent to a collector by OTLP over HTTP. Off unless
 * `QUIRE_OTLP_ENDPOINT` is set: nothing of OpenTelemetry is loaded then, and no asynchronous context is kept. The
 * libraries read the headers of the exporter from the standard variable `OTEL_EXPORTER_OTLP_HEADERS`. Spans hold ids,
 * routes and outcomes, and no content, names or keys.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import type * as OpenTelemetry from '@opentelemetry/api';
import type { Attributes, Context, Span, Tracer } from '@opentelemetry/api';
import type { ProviderCallRecord } from '@quire/models/provider-observer';
import type { Logger } from './logger.ts';

export interface TracingOptions {
  /** Base address of the collector; `/v1/traces` is appended. */
  endpoint: string;
  /** Share of the requests and jobs that are traced, 0 to 1; a caller's decision in `traceparent` has precedence. */
  sampleRatio: number;
  version: string;
  logger: Logger;
}

type Api = typeof OpenTelemetry;

interface Tracing {
  api: Api;
  tracer: Tracer;
  context: AsyncLocalStorage<Context>;
}

let tracing: Tracing | undefined;

/** Time limit for sending one batch of spans, and for the last batch at the end. */
const EXPORT_MS = 3_000;
const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;

/** Starts tracing in this process; the returned function sends what is left and ends it. */
export async function startTracing({
  endpoint,
  sampleRatio,
  version,
  logger,
}: TracingOptions): Promise<() => Promise<void>> {
  const [api, sdk, { OTLPTraceExporter }, { resourceFromAttributes }] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/sdk-trace-base'),
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/resources'),
  ]);
  const note = (message: string): void => logger.warn({ message }, 'traces could not be sent');
  const silent = (): void => undefined;
  const diagnostics = { error: note, warn: note, info: silent, debug: silent, verbose: silent };
  api.diag.setLogger(diagnostics, { logLevel: api.DiagLogLevel.WARN, suppressOverrideMessage: true });
  const exporter = new OTLPTraceExporter({
    url: `${endpoint.replace(/\/$/, '')}/v1/traces`,
    timeoutMillis: EXPORT_MS,
  });
  const provider = new sdk.BasicTracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'quire', 'service.version': version }),
    sampler: new sdk.ParentBasedSampler({ root: new sdk.TraceIdRatioBasedSampler(sampleRatio) }),
    spanProcessors: [new sdk.BatchSpanProcessor(exporter, { exportTimeoutMillis: EXPORT_MS })],
  });
  const started = { api, tracer: provider.getTracer('quire', version), context: new AsyncLocalStorage<Context>() };
  tracing = started;
  return async () => {
    if (tracing === started) tracing = undefined;
    await provider.shutdown().catch((error: unknown) => logger.warn({ err: error }, 'the last traces were not sent'));
  };
}

/** Begins the span of a request below its `traceparent` and calls `next` in its context; undefined without tracing. */
export function beginRequestSpan(
  name: string,
  traceparent: unknown,
  attributes: Attributes,
  next: () => void,
): Span | undefined {
  if (tracing === undefined) {
    next();
    return undefined;
  }
  const { api, tracer, context } = tracing;
  const parent = remoteContext(api, traceparent);
  const span = tracer.startSpan(name, { kind: api.SpanKind.SERVER, attributes }, parent);
  context.run(api.trace.setSpan(parent, span), next);
  return span;
}

export function endRequestSpan(span: Span, status: number, attributes: Attributes): void {
  span.setAttributes({ 'http.response.status_code': status, ...attributes });
  if (status >= 500 && tracing !== undefined) span.setStatus({ code: tracing.api.SpanStatusCode.ERROR });
  span.end();
}

/** Runs the work in a span; a failure is recorded in it and thrown again. */
export async function traced<T>(name: string, attributes: Attributes, work: () => Promise<T>): Promise<T> {
  if (tracing === undefined) return work();
  const { api, tracer, context } = tracing;
  const parent = context.getStore() ?? api.ROOT_CONTEXT;
  const span = tracer.startSpan(name, { kind: api.SpanKind.CONSUMER, attributes }, parent);
  try {
    return await context.run(api.trace.setSpan(parent, span), work);
  } catch (error) {
    // The message of an error may quote a document.
    span.setAttribute('error.type', error instanceof Error ? error.name : 'unknown');
    span.setStatus({ code: api.SpanStatusCode.ERROR });
    throw error;
  } finally {
    span.end();
  }
}

/** Adds the span of a provider's call that has just ended, below the request or job that waits for it. */
export function recordProviderCall({ provider, operation, outcome, seconds, ...tokens }: ProviderCallRecord): void {
  if (tracing === undefined) return;
  const { api, tracer, context } = tracing;
  const now = Date.now();
  const attributes = {
    'gen_ai.provider.name': provider,
    'gen_ai.operation.name': operation,
    'gen_ai.usage.input_tokens': tokens.inputTokens,
    'gen_ai.usage.output_tokens': tokens.outputTokens,
    'quire.outcome': outcome,
  };
  const options = { kind: api.SpanKind.CLIENT, attributes, startTime: now - seconds * 1_000 };
  const span = tracer.startSpan(`${operation} ${provider}`, options, context.getStore() ?? api.ROOT_CONTEXT);
  if (outcome !== 'ok') span.setStatus({ code: api.SpanStatusCode.ERROR });
  span.end(now);
}

/** Returns the context that a `traceparent` header names (W3C Trace Context), else the empty one. */
function remoteContext(api: Api, header: unknown): Context {
  const [, traceId = '', spanId = '', flags = ''] = TRACEPARENT.exec(typeof header === 'string' ? header : '') ?? [];
  const context = { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1, isRemote: true };
  return api.isSpanContextValid(context) ? api.trace.setSpanContext(api.ROOT_CONTEXT, context) : api.ROOT_CONTEXT;
}
