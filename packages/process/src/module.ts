/**
 * The modules of a process run: each is given a file that was parsed once for all of them, and its own configuration,
 * and gives back a result. No HTTP, no SQL: a module can be tried on a file on disk.
 */
import type { DocumentTree } from '@quire/blocks/block';
import type { ChatModel, TokenUsage } from '@quire/models/chat-model';
import type { Embedder } from '@quire/models/embedder';
import type { SourceFile } from '@quire/parse/parser';

export interface RunDocument {
  /** The bytes on local disk, to be read only. */
  file: SourceFile;
  tree: DocumentTree;
  /** The other files of the run that could be read, in order: for modules that put files together. */
  siblings?: readonly SourceFile[];
}

export interface ModuleDeps {
  /** Null: none is configured; the module answers with its own engine. */
  model: ChatModel | null;
  /** Null: no dense embedder can be had. */
  embedder: Embedder | null;
  /** A directory of this run alone, removed afterwards. */
  tempDir: string;
  /** 0..1 of this module's work. */
  onProgress: (fraction: number) => void;
}

export interface ModuleResult<T> {
  /** What stands in the outcome under the module's name: plain JSON. */
  result: T;
  /** Files that the module made, on local disk (under `tempDir`) or in memory. */
  outputs: readonly ModuleOutput[];
  usage: TokenUsage;
}

export interface ModuleOutput {
  /** A plain file name, unique within the file's outputs of this module. */
  name: string;
  contentType: string;
  content: Buffer | { path: string };
  /** The field of the result in whose place clients get a reference to this file: `output` of an edit, say. */
  field?: string;
}

/** Throws `ContentError` for what is wrong with the file, the provider or the request. */
export type Module<Config, Result> = (
  document: RunDocument,
  config: Config,
  deps: ModuleDeps,
  signal: AbortSignal,
) => Promise<ModuleResult<Result>>;
