/** Parses a run's file once for all modules, with the built-in parsers or a provider. */
import type { ContentWarning } from '@quire/blocks/content-warning';
import type { DocumentTree } from '@quire/blocks/block';
import type { SourceFile, ParseLimits, ParseOptions } from '@quire/parse/parser';
import { EventLoopTurns } from '@quire/shared/event-loop-turns';
import type { ParsedFile, SandboxClient, TaskOptions } from '../tasks/sandbox-client.ts';
import type { ParseFormat } from '../blocks.ts';
import type { ModuleOutput } from '../module.ts';
import type { DocumentParser } from '@quire/models/document-parser';
import { unpackTree } from './packed-tree.ts';
import { parseWithProvider } from './parse-with-provider.ts';

export interface ParsePlan {
  options: ParseOptions;
  limits: ParseLimits;
  /** Null for the built-in parsers. */
  parser: DocumentParser | null;
  formats: readonly ParseFormat[];
  /** Whether other modules need the tree. */
  tree: boolean;
}

export interface ParsedDocument {
  result: {
    contentType: string;
    pageCount: number | null;
    language: string | null;
    warnings: ContentWarning[];
  };
  outputs: ModuleOutput[];
  /** Null when the plan does not request it. */
  tree: DocumentTree | null;
  /** The tree for tasks of the sandbox. */
  packedTree: Uint8Array | null;
}

const RENDERINGS: Record<ParseFormat, { name: string; contentType: string }> = {
  markdown: { name: 'document.md', contentType: 'text/markdown; charset=utf-8' },
  html: { name: 'document.html', contentType: 'text/html; charset=utf-8' },
  blocks: { name: 'blocks.json', contentType: 'application/json' },
};

export async function parseDocument(
  file: SourceFile,
  plan: ParsePlan,
  sandbox: SandboxClient,
  options: TaskOptions,
): Promise<ParsedDocument> {
  const { formats, limits, options: parseOptions, tree: wanted } = plan;
  const outside = { sandbox, limitPixels: parseOptions.maxPixels, cache: null };
  const { reading, warnings } = await parseWithProvider(plan.parser, file, outside, options);
  const input = { file, options: parseOptions, limits, formats, tree: wanted, reading, warnings };
  const parsed = await sandbox.parse(input, options);
  const tree = parsed.tree === null ? null : await unpackTree(parsed.tree, new EventLoopTurns(options.signal));
  return { ...describe(file, parsed), tree, packedTree: parsed.tree };
}

function describe(
  file: SourceFile,
  { pageCount, language, warnings, renderings }: ParsedFile,
): Pick<ParsedDocument, 'result' | 'outputs'> {
  const outputs = (Object.entries(renderings) as [ParseFormat, Uint8Array][]).map(([format, bytes]) => ({
    ...RENDERINGS[format],
    content: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength),
    field: format,
  }));
  return { result: { contentType: file.contentType, pageCount, language, warnings }, outputs };
}
