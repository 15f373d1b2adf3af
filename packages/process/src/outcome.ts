/** The stored outcome of a run: per file the result of each module, its errors and its output files. */
/** A file that a run made. Small texts and JSON are kept here, everything else in the object store. */
export interface RunOutput {
  /** What clients call it, unique in the run. */
  path: string;
  contentType: string;
  sizeBytes: number;
  /** Its place below the run's in the object store; null: `text` is all of it. */
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
  /** Fields in whose place clients see a reference to an output: the output's path by the field's name. */
  references: Record<string, string>;
}

export interface RunFileOutcome {
  name: string;
  /** The file that was sent in; null for a member of an archive. */
  fileId: string | null;
  modules: Record<string, ModuleOutcome>;
  errors: RunError[];
  outputs: RunOutput[];
}

export interface RunUsage {
  inputTokens: number;
  outputTokens: number;
  /** Pages, slides and sheets that were parsed. */
  pageCount: number;
}

export interface RunOutcome {
  files: RunFileOutcome[];
  usage: RunUsage;
}
