/** The blocks of a run's request (CONTRACT section 7), as validated by the routes. */
import type { JsonSchema } from '@quire/models/chat-model';
import type { ProviderName } from '@quire/models/providers/registry';
import type { Operation } from './edit/operations.ts';

export const PARSE_FORMATS = ['markdown', 'html', 'blocks'] as const;
export type ParseFormat = (typeof PARSE_FORMATS)[number];

export interface ParserConfig {
  provider?: ProviderName | undefined;
  jpegQuality?: number | undefined;
  maxPixels?: number | undefined;
  formats?: ParseFormat[] | undefined;
}

export interface ExtractionConfig {
  jsonSchema: JsonSchema;
  instructions?: string | undefined;
  modelId?: string | undefined;
}

export interface SummaryConfig {
  length: 'short' | 'medium' | 'long';
  instructions?: string | undefined;
  /** BCP 47 primary language; defaults to the document's language. */
  language?: string | undefined;
  modelId?: string | undefined;
}

export interface TaxonomyNode {
  /** Unique among its siblings. */
  id: string;
  label: string;
  description?: string | undefined;
  children?: TaxonomyNode[] | undefined;
}

export interface ClassificationConfig {
  taxonomy: TaxonomyNode[];
  multiLabel?: boolean | undefined;
  modelId?: string | undefined;
}

/** Exactly one of `operations` and `instructions` is set. */
export interface EditConfig {
  operations?: Operation[] | undefined;
  instructions?: string | undefined;
  modelId?: string | undefined;
}

export interface RunBlocks {
  parserId?: string | undefined;
  parserConfig?: ParserConfig | undefined;
  extractionConfig?: ExtractionConfig | undefined;
  summaryConfig?: SummaryConfig | undefined;
  classificationConfig?: ClassificationConfig | undefined;
  editConfig?: EditConfig | undefined;
}
