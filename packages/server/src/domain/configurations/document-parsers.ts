/** Which parser reads a file: the built-in one with its options, or a provider's with the key of its configuration. */
import type { Kysely } from 'kysely';
import type { CollectionRecord, Database } from '../../database/tables.ts';
import type { ParseOptions } from '@quire/parse/parser';
import type { DocumentParser } from '@quire/models/document-parser';
import { isRemote } from '@quire/models/providers/registry';
import { RemoteDocumentParser } from '@quire/models/remote/remote-document-parser';
import type { ProviderConnections } from '@quire/models/remote/provider-connections';
import type { SecretBox } from '../../shared/secret-box.ts';
import { RecentReads } from '../../shared/recent-reads.ts';
import { keyPlace } from './api-key.ts';
import { ConfigurationRepository, type ConfigurationRecord } from './repository.ts';
import type { ProviderConfig } from './types.ts';

export interface DocumentParsersDeps {
  database: Kysely<Database>;
  secretBox: SecretBox;
  connections: ProviderConnections;
  /** Pixels of the largest image that is decoded, whatever a configuration asks for. */
  limitPixels: number;
  tessdataDir: string | null;
}

export interface ParserSetup {
  /** For what the built-in parser reads; also where an outside one cannot read a format. */
  options: ParseOptions;
  /** Null: the built-in readers. */
  parser: DocumentParser | null;
}

/** Tesseract's code for English, the one language whose data is always there. */
const DEFAULT_LANGUAGES = ['eng'];
const DEFAULT_JPEG_QUALITY = 85;
/** Documents that are begun in one moment share a look-up; a change is nowhere so quick that one of them missed it. */
const SHARED_MS = 1;

export class DocumentParsers {
  readonly #deps: DocumentParsersDeps;
  readonly #recent = new RecentReads<ConfigurationRecord>({ keptMs: SHARED_MS, now: () => performance.now() });

  constructor(deps: DocumentParsersDeps) {
    this.#deps = deps;
  }

  async ofCollection({ workspace_id, parser_id }: CollectionRecord): Promise<ParserSetup> {
    const configurations = new ConfigurationRepository(this.#deps.database);
    const record = await this.#recent.get(`${workspace_id} ${parser_id}`, () =>
      configurations.getById(workspace_id, parser_id),
    );
    if (record === undefined) throw new Error(`the parser ${parser_id} is gone`);
    return this.of(record, record.config as unknown as ProviderConfig);
  }

  /** `config` may differ from the record's in what a request says itself; the key is the record's. */
  of(record: ConfigurationRecord | null, config: ProviderConfig): ParserSetup {
    return { options: this.#options(config), parser: this.outside(record, config) };
  }

  outside(
    record: ConfigurationRecord | null,
    config: ProviderConfig,
    connections = this.#deps.connections,
  ): DocumentParser | null {
    const { provider } = config;
    if (record === null || !isRemote('parsers', provider)) return null;
    const sealed = record.secrets['apiKey'];
    const apiKey = sealed === undefined ? undefined : this.#deps.secretBox.open(sealed, keyPlace(record.id));
    const { model, baseUrl, temperature, maxOutputTokens, maxConcurrency, requestsPerMinute, jpegQuality } = config;
    const maxPixels = config.maxPixels === undefined ? undefined : Math.min(config.maxPixels, this.#deps.limitPixels);
    const settings = { model, baseUrl, temperature, maxOutputTokens, maxConcurrency, requestsPerMinute, jpegQuality };
    const identity = { configurationId: record.id, provider, apiKey, maxPixels };
    return new RemoteDocumentParser({ ...settings, ...identity }, connections);
  }

  #options({ ocr, languages, jpegQuality, maxPixels, removeBoilerplate }: ProviderConfig): ParseOptions {
    const { limitPixels, tessdataDir } = this.#deps;
    return {
      ocr: ocr ?? 'auto',
      ocrLanguages: languages !== undefined && languages.length > 0 ? languages : DEFAULT_LANGUAGES,
      tessdataDir: tessdataDir ?? undefined,
      jpegQuality: jpegQuality ?? DEFAULT_JPEG_QUALITY,
      maxPixels: limitPixels,
      ocrPixels: maxPixels,
      removeBoilerplate: removeBoilerplate ?? false,
    };
  }
}
