/** Metrics of the service in the format of Prometheus. Labels come from closed sets: route templates, never paths. */
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { WarningType } from '@quire/blocks/content-warning';
import type { ProviderCallRecord } from '@quire/models/provider-observer';
import type { ResidentIndexStats } from '@quire/search/resident/resident-index';

const HTTP_SECONDS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60];
const INGEST_SECONDS = [0.01, 0.05, 0.1, 0.5, 1, 5, 15, 60, 300, 900];
const PROVIDER_SECONDS = [0.1, 0.25, 0.5, 1, 2, 5, 10, 20, 60, 180, 900];
const RUN_SECONDS = [0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60, 300, 900];
const PICTURE_SECONDS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60];
const SYNC_SECONDS = [1, 5, 15, 60, 300, 900, 3600, 14_400, 43_200];
const DELIVERY_SECONDS = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15];
const SEARCH_SECONDS = [0.001, 0.002, 0.004, 0.006, 0.008, 0.012, 0.025, 0.05, 0.1, 0.5, 2];

export interface GaugeReading {
  labels?: Record<string, string>;
  value: number;
}

export class Metrics {
  readonly #registry = new Registry();
  readonly #http: Histogram<'method' | 'route' | 'status'>;
  readonly #documents: Counter<'status' | 'format'>;
  readonly #warnings: Counter<'type'>;
  readonly #ingest: Histogram<'stage'>;
  readonly #search: Histogram<'mode'>;
  readonly #mcpCalls: Histogram<'tool' | 'outcome'>;
  readonly #answers: Counter<'status'>;
  readonly #retrievals: Counter;
  readonly #firstLine: Histogram;
  readonly #providerCalls: Histogram<'provider' | 'operation' | 'outcome'>;
  readonly #providerTokens: Counter<'provider' | 'operation' | 'direction'>;
  readonly #firstText: Histogram;
  readonly #tokens: Counter<'kind'>;
  readonly #droppedMarks: Counter<'reason'>;
  readonly #runs: Histogram<'status'>;
  readonly #deliveries: Histogram<'outcome'>;
  readonly #gaugeFailures: Counter<'gauge'>;
  readonly #pagePictures: Histogram<'outcome'>;
  readonly #syncs: Histogram<'kind' | 'status'>;
  readonly #fetches: Counter<'kind' | 'outcome'>;

  constructor() {
    const registers = [this.#registry];
    collectDefaultMetrics({ register: this.#registry });
    this.#gaugeFailures = new Counter({
      name: 'quire_gauge_failures_total',
      help: 'Readings of a gauge that failed, because the database is away for instance; the gauge is then left out',
      labelNames: ['gauge'],
      registers,
    });
    this.#http = new Histogram({
      name: 'quire_http_request_duration_seconds',
      help: 'Time until an answer was sent, by route template',
      labelNames: ['method', 'route', 'status'],
      buckets: HTTP_SECONDS,
      registers,
    });
    this.#documents = new Counter({
      name: 'quire_documents_processed_total',
      help: 'Documents whose processing has ended, by outcome and format',
      labelNames: ['status', 'format'],
      registers,
    });
    this.#warnings = new Counter({
      name: 'quire_document_warnings_total',
      help: 'Warnings of documents whose processing has ended, by type',
      labelNames: ['type'],
      registers,
    });
    this.#ingest = new Histogram({
      name: 'quire_ingest_stage_duration_seconds',
      help: 'Time spent on a document in each stage of processing',
      labelNames: ['stage'],
      buckets: INGEST_SECONDS,
      registers,
    });
    this.#search = new Histogram({
      name: 'quire_search_duration_seconds',
      help: 'Time of a search, by mode',
      labelNames: ['mode'],
      buckets: SEARCH_SECONDS,
      registers,
    });
    this.#mcpCalls = new Histogram({
      name: 'quire_mcp_call_duration_seconds',
      help: 'Time of a call of an MCP tool, by outcome',
      labelNames: ['tool', 'outcome'],
      buckets: HTTP_SECONDS,
      registers,
    });
    this.#answers = new Counter({
      name: 'quire_chat_answers_total',
      help: 'Ended answers, by status',
      labelNames: ['status'],
      registers,
    });
    this.#retrievals = new Counter({
      name: 'quire_chat_retrievals_total',
      help: 'Searches made for answers',
      registers,
    });
    this.#firstLine = new Histogram({
      name: 'quire_chat_first_line_seconds',
      help: 'Time from a question to the first line of its answer',
      buckets: SEARCH_SECONDS,
      registers,
    });
    this.#providerCalls = new Histogram({
      name: 'quire_provider_call_duration_seconds',
      help: 'Time of a call to a model provider, for each attempt',
      labelNames: ['provider', 'operation', 'outcome'],
      buckets: PROVIDER_SECONDS,
      registers,
    });
    this.#providerTokens = new Counter({
      name: 'quire_provider_tokens_total',
      help: 'Tokens read and written by providers',
      labelNames: ['provider', 'operation', 'direction'],
      registers,
    });
    this.#firstText = new Histogram({
      name: 'quire_chat_first_text_seconds',
      help: 'Time from a question to the first text of its answer',
      buckets: HTTP_SECONDS,
      registers,
    });
    this.#tokens = new Counter({
      name: 'quire_chat_tokens_total',
      help: 'Tokens read and written by language models for answers',
      labelNames: ['kind'],
      registers,
    });
    this.#droppedMarks = new Counter({
      name: 'quire_chat_dropped_marks_total',
      help: 'Citation marks removed from answers, because their source was not retrieved or does not support the statement',
      labelNames: ['reason'],
      registers,
    });
    this.#runs = new Histogram({
      name: 'quire_run_duration_seconds',
      help: 'Time that a worker took for a run, by outcome',
      labelNames: ['status'],
      buckets: RUN_SECONDS,
      registers,
    });
    this.#syncs = new Histogram({
      name: 'quire_connector_sync_duration_seconds',
      help: 'Time from the start of a synchronisation to its end, by kind of connector and outcome',
      labelNames: ['kind', 'status'],
      buckets: SYNC_SECONDS,
      registers,
    });
    this.#fetches = new Counter({
      name: 'quire_connector_fetches_total',
      help: 'Fetches of files from sources that ended, by kind of connector and whether the source answered',
      labelNames: ['kind', 'outcome'],
      registers,
    });
    this.#deliveries = new Histogram({
      name: 'quire_webhook_attempt_duration_seconds',
      help: 'Time of an attempt at a delivery, by outcome',
      labelNames: ['outcome'],
      buckets: DELIVERY_SECONDS,
      registers,
    });
    this.#pagePictures = new Histogram({
      name: 'quire_page_picture_duration_seconds',
      help: 'Time of reading or drawing the picture of a page or the list of pages, by outcome',
      labelNames: ['outcome'],
      buckets: PICTURE_SECONDS,
      registers,
    });
  }

  observeSync(kind: string, status: string, seconds: number): void {
    this.#syncs.observe({ kind, status }, seconds);
  }

  countFetch(kind: string, outcome: 'settled' | 'unavailable'): void {
    this.#fetches.inc({ kind, outcome });
  }

  observeRun(status: 'done' | 'failed', seconds: number): void {
    this.#runs.observe({ status }, seconds);
  }

  observePagePicture(outcome: 'stored' | 'drawn' | 'failed', seconds: number): void {
    this.#pagePictures.observe({ outcome }, seconds);
  }

  observeRequest(method: string, route: string, status: number, seconds: number): void {
    this.#http.observe({ method, route, status: String(status) }, seconds);
  }

  countDocument(status: 'ready' | 'failed', format: string): void {
    this.#documents.inc({ status, format });
  }

  countWarning(type: WarningType): void {
    this.#warnings.inc({ type });
  }

  observeStage(stage: string, seconds: number): void {
    this.#ingest.observe({ stage }, seconds);
  }

  observeSearch(mode: string, seconds: number): void {
    this.#search.observe({ mode }, seconds);
  }

  observeMcpCall(tool: string, outcome: 'ok' | 'refused' | 'failed', seconds: number): void {
    this.#mcpCalls.observe({ tool, outcome }, seconds);
  }

  countAnswer(status: 'streaming' | 'done' | 'failed' | 'stopped'): void {
    this.#answers.inc({ status });
  }

  countRetrieval(): void {
    this.#retrievals.inc();
  }

  observeDelivery(outcome: 'delivered' | 'refused' | 'unanswered', seconds: number): void {
    this.#deliveries.observe({ outcome }, seconds);
  }

  observeFirstLine(seconds: number): void {
    this.#firstLine.observe(seconds);
  }

  observeProviderCall({ provider, operation, outcome, seconds, ...tokens }: ProviderCallRecord): void {
    this.#providerCalls.observe({ provider, operation, outcome }, seconds);
    this.#providerTokens.inc({ provider, operation, direction: 'in' }, tokens.inputTokens);
    this.#providerTokens.inc({ provider, operation, direction: 'out' }, tokens.outputTokens);
  }

  observeFirstText(seconds: number): void {
    this.#firstText.observe(seconds);
  }

  countTokens({ inputTokens, outputTokens }: { inputTokens: number; outputTokens: number }): void {
    this.#tokens.inc({ kind: 'input' }, inputTokens);
    this.#tokens.inc({ kind: 'output' }, outputTokens);
  }

  countDroppedMark(reason: 'unknown' | 'unverified'): void {
    this.#droppedMarks.inc({ reason });
  }

  /** Adds a gauge that is read with each request for the metrics, such as the length of a queue. */
  addGauge(name: string, help: string, labelNames: readonly string[], read: () => Promise<GaugeReading[]>): void {
    const failures = this.#gaugeFailures;
    const gauge = new Gauge({
      name,
      help,
      labelNames: [...labelNames],
      registers: [this.#registry],
      async collect() {
        this.reset();
        let readings: GaugeReading[];
        try {
          readings = await read();
        } catch {
          // A gauge of the database must not hide the metrics of the process while the database is away.
          failures.inc({ gauge: name });
          return;
        }
        for (const { labels, value } of readings) this.set(labels ?? {}, value);
      },
    });
    // The registry holds the gauge.
    void gauge;
  }

  /** Registers the metrics of the search index in memory. */
  watchSearchIndex(read: () => ResidentIndexStats): void {
    this.addGauge('quire_search_copies', 'Index tables in memory', [], async () => [{ value: read().tables }]);
    this.addGauge('quire_search_loading', 'Index tables that are being loaded', [], async () => [
      { value: read().loading },
    ]);
    this.addGauge('quire_search_copy_bytes', 'Memory of the index tables', [], async () => [{ value: read().bytes }]);
    this.addGauge('quire_search_index_queries', 'Queries of index tables', [], async () => [
      { value: read().searches },
    ]);
    this.addGauge(
      'quire_search_copy_failures',
      'Number of index tables that were dropped because they failed',
      ['reason'],
      async () => Object.entries(read().failures).map(([reason, value]) => ({ labels: { reason }, value })),
    );
  }

  get contentType(): string {
    return this.#registry.contentType;
  }

  render(): Promise<string> {
    return this.#registry.metrics();
  }
}
