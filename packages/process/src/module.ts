/**
 * The interface of a run's modules. A module receives a file, parsed once for all modules, and its own configuration,
 * and returns a result. Modules use neither HTTP nor SQL and can be tried on a file on disk.
 */
import type { DocumentTree } from '@quire/blocks/block';
import type { ChatModel, TokenUsage } from '@quire/models/chat-model';
import type { Embedder } from '@quire/models/embedder';
import type { ParseOptions, SourceFile } from '@quire/parse/parser';

export interface RunDocument {
  /** The file on local disk; modules only read it. */
  file: SourceFile;
  tree: DocumentTree;
  /** The tree as `packTree` wrote it, for tasks of the sandbox; cheaper to send. */
  packedTree?: Uint8Array;
  /** Options of the built-in parser for this run. */
  options?: ParseOptions;
  /** The run's other readable files, in order, for modules that combine files. */
  siblings?: readonly SourceFile[];
}

export interface ModuleDeps {
  /** Null when no model is configured; the module then uses its own algorithm. */
  model: ChatModel | null;
  /** Null when no dense embedder is available. */
  embedder: Embedder | null;
  /** A directory of this run, removed when the run ends. */
  tempDir: string;
  /** Reports this module's progress, 0..1. */
  onProgress: (fraction: number) => void;
}

export interface ModuleResult<T> {
  /** Plain JSON, stored in the outcome under the module's name. */
  result: T;
  /** Output files, on local disk (under `tempDir`) or in memory. */
  outputs: readonly ModuleOutput[];
  usage: TokenUsage;
}

export interface ModuleOutput {
  /** File name without a path, unique among the module's outputs for the file. */
  name: string;
  contentType: string;
  content: Buffer | { path: string };
  /** Field of the result that clients see as a reference to this file, such as `output` of an edit. */
  field?: string;
}

/** Processes one document. Throws `ContentError` for problems with the file, the provider or the request. */
export type Module<Config, Result> = (
  document: RunDocument,
  config: Config,
  deps: ModuleDeps,
  signal: AbortSignal,
) => Promise<ModuleResult<Result>>;
