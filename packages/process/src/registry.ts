/**
 * The registry of a run's modules beside the parse: one entry each. A block of the request selects its module, whose
 * result is stored in the outcome under the module's name. A module's code is imported on its first run.
 */
import type { ParseLimits } from '@quire/parse/parser';
import type { SandboxClient } from './tasks/sandbox-client.ts';
import type { RunBlocks } from './blocks.ts';
import type { Module } from './module.ts';

/** A problem that a module finds in its block; `path` is the position within the block. */
export interface BlockProblem {
  path: readonly (string | number)[];
  /** The problem in words, without a full stop. */
  error: string;
}

export type ModuleBlock = Exclude<keyof RunBlocks, 'parserId' | 'parserConfig'>;
type ConfigOf<Block extends ModuleBlock> = NonNullable<RunBlocks[Block]>;

/** Dependencies of the modules. Files are processed in the sandbox only. */
export interface ModuleServices {
  sandbox: SandboxClient;
  limits: ParseLimits;
  /** Maximum number of pixels of an image that a module decodes or renders. */
  maxPixels: number;
  /** Maximum size of a file in bytes. */
  maxFileBytes: number;
}

interface ModuleEntry<Block extends ModuleBlock> {
  /** Name in the outcome. */
  name: string;
  load: (services: ModuleServices) => Promise<Module<ConfigOf<Block>, object>>;
  /**
   * Checks at request time what the block's schema cannot express. Problems become a 422 response with their positions.
   */
  check?: (config: ConfigOf<Block>) => Promise<readonly BlockProblem[]>;
}

/** The module of every block, in the order in which the outcome lists them. */
const MODULES: { readonly [Block in ModuleBlock]: ModuleEntry<Block> } = {
  extractionConfig: {
    name: 'extraction',
    load: async ({ sandbox }) => (await import('./extract/extract.ts')).extraction(sandbox),
    check: async (config) => (await import('./extract/extract.ts')).checkExtraction(config),
  },
  summaryConfig: { name: 'summary', load: async () => (await import('./summarise/summarise.ts')).summarise },
  classificationConfig: {
    name: 'classification',
    load: async () => (await import('./classify/classify.ts')).classify,
  },
  editConfig: { name: 'edit', load: async (services) => (await import('./edit/edit.ts')).createEditModule(services) },
};

/** A module that a run requests, with its configuration. */
export interface RequestedModule {
  name: string;
  block: ModuleBlock;
  /** Model that the block names; null for the workspace's default. */
  modelId: string | null;
  load: (services: ModuleServices) => Promise<Module<unknown, object>>;
  check: () => Promise<readonly BlockProblem[]>;
}

export function requestedModules(blocks: RunBlocks): RequestedModule[] {
  const entries = Object.entries(MODULES) as unknown as [ModuleBlock, ModuleEntry<ModuleBlock>][];
  return entries.flatMap(([block, { name, load, check }]) => {
    const config = blocks[block];
    if (config === undefined) return [];
    return [
      {
        name,
        block,
        modelId: config.modelId ?? null,
        load: load as RequestedModule['load'],
        check: async () => check?.(config) ?? [],
      },
    ];
  });
}
