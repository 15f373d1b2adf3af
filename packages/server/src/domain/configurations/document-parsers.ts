/** Opens the parser of a configuration: the built-in one with its options, or a provider's with its API key. */
import type { Kysely } from 'kysely';
import type { CollectionRecord, Database } from '../../database/tables.ts';
import type { ParseOptions } from '@quire/parse/parser';
import type { DocumentParser } from '@quire/models/document-parser';
import { isRemote } from '@quire/models/providers/registry';
import { RemoteDocumentParser } from '@quire/models/remote/remote-document-parser';
import type { ProviderConnections } from '@quire/models/remote/provider-connections';
import type { SecretBox } from '../../shared/secret-box.ts';
import { RecentReads } from '../../shared/recent-reads.ts';
import { openKey } from './api-key.ts';
import { ConfigurationRepository, type ConfigurationRecord } from './repository.ts';
import type { ProviderConfig } from './types.ts';

export interface DocumentParsersDeps {
  database: Kysely<Database>;
  secretBox: SecretBox;
  connections: ProviderConnections;
  /** Maximum number of pixels of a decoded image; a configuration cannot exceed it. */
  limitPixels: number;
  tessdataDir: string | null;
}

export interface ParserSetup {
  /** Options of the built-in parser, which also reads formats that an outside parser does not. */
  options: ParseOptions;
  /** The outside parser; null for the built-in one. */
  parser: DocumentParser | null;
}

/** Tesseract's code for English, whose data is always installed. */
const DEFAULT_LANGUAGES = ['eng'];
const DEFAULT_JPEG_QUALITY = 85;
/** Time for which a look-up is shared, in ms: documents that start concurrently need one. */
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

  /** Opens a parser. `config` may hold overrides of a request; the API key is always that of the record. */
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
    const apiKey = openKey(this.#deps.secretBox, record);
    const maxPixels = config.maxPixels === undefined ? undefined : Math.min(config.maxPixels, this.#deps.limitPixels);
    return new RemoteDocumentParser({ ...config, configurationId: record.id, apiKey, maxPixels }, connections);
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
