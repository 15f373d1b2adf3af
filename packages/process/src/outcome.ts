/**
 * The stored outcome of a run: for each file the result of each module, its errors and its output files.
 * All types here are stored as JSON in the record of the run.
 */
/** An output file. Small texts and JSON are stored here, other outputs in the object store. */
export interface RunOutput {
  /** Name in the API, unique in the run. */
  path: string;
  contentType: string;
  sizeBytes: number;
  /** Key below the run's prefix in the object store; null when `text` holds the content. */
  key: string | null;
  text: string | null;
}

export interface RunError {
  module: string;
  type: string;
  message: string;
}

export interface ModuleOutcome {
  result: Record<string, unknown>;
  /** Output paths by field name, for fields that clients see as a reference. */
  references: Record<string, string>;
}

export interface RunFileOutcome {
  name: string;
  /** Id of the uploaded file; null for a member of an archive. */
  fileId: string | null;
  modules: Record<string, ModuleOutcome>;
  errors: RunError[];
  outputs: RunOutput[];
}

export interface RunUsage {
  inputTokens: number;
  outputTokens: number;
  /** Number of pages, slides and sheets parsed. */
  pageCount: number;
}

export interface RunOutcome {
  files: RunFileOutcome[];
  usage: RunUsage;
}
