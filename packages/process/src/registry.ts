/**
 * The modules of a run beside the parse: one line each. A module is asked for by its block; its result stands in the
 * outcome under its name. A module's code is loaded when its first run comes.
 */
import type { ParseLimits } from '@quire/parse/parser';
import type { SandboxClient } from './tasks/sandbox-client.ts';
import type { RunBlocks } from './blocks.ts';
import type { Module } from './module.ts';

/** What a block says that its module cannot do; `path` is the place within the block. */
export interface BlockProblem {
  path: readonly (string | number)[];
  /** In words, without a full stop. */
  error: string;
}

export type ModuleBlock = Exclude<keyof RunBlocks, 'parserId' | 'parserConfig'>;
/** The block that asks for each module. */
interface BlockOf {
  extraction: 'extractionConfig';
  summary: 'summaryConfig';
  classification: 'classificationConfig';
  edit: 'editConfig';
}
export type ModuleName = keyof BlockOf;

type ConfigOf<Block extends ModuleBlock> = NonNullable<RunBlocks[Block]>;

/** What a module may be made of: files are worked on in the sandbox only. */
export interface ModuleServices {
  sandbox: SandboxClient;
  limits: ParseLimits;
  /** Of a picture that a module decodes or draws. */
  maxPixels: number;
}

interface ModuleEntry<Block extends ModuleBlock> {
  block: Block;
  load: (services: ModuleServices) => Promise<Module<ConfigOf<Block>, object>>;
  /** Checks at request time what the block's schema cannot; the problems become a 422 that names their places. */
  check?: (config: ConfigOf<Block>) => Promise<readonly BlockProblem[]>;
}

/** In the order in which the outcome names them. */
const MODULES = {
  extraction: {
    block: 'extractionConfig',
    load: async ({ sandbox }) => (await import('./extract/extract.ts')).extraction(sandbox),
    check: async (config) => (await import('./extract/extract.ts')).checkExtraction(config),
  },
  summary: { block: 'summaryConfig', load: async () => (await import('./summarise/summarise.ts')).summarise },
  classification: {
    block: 'classificationConfig',
    load: async () => (await import('./classify/classify.ts')).classify,
  },
  edit: { block: 'editConfig', load: async (services) => (await import('./edit/edit.ts')).createEditModule(services) },
} satisfies { [Name in ModuleName]: ModuleEntry<BlockOf[Name]> };

/** A module that a run asks for, with its configuration. */
export interface AskedModule {
  name: ModuleName;
  block: ModuleBlock;
  /** The model that the block names; null: the workspace's default. */
  modelId: string | null;
  load: (services: ModuleServices) => Promise<Module<unknown, object>>;
  check: () => Promise<readonly BlockProblem[]>;
}

export function askedModules(blocks: RunBlocks): AskedModule[] {
  const entries = Object.entries(MODULES) as unknown as [ModuleName, ModuleEntry<ModuleBlock>][];
  return entries.flatMap(([name, { block, load, check }]) => {
    const config = blocks[block];
    if (config === undefined) return [];
    return [
      {
        name,
        block,
        modelId: config.modelId ?? null,
        load: load as AskedModule['load'],
        check: async () => check?.(config) ?? [],
      },
    ];
  });
}
