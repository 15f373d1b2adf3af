/**
 * The language models named for the memory of a machine: trained to follow instructions, under the Apache License 2.0,
 * in four bits, each in one file of the model hub. They are not pinned by hash, as nothing of them could be downloaded
 * when they were chosen: a download is checked against the hash that the hub states, which is recorded. See the
 * decision on small language models.
 */
export interface ChatChoice {
  name: string;
  /** Memory of the machine in GB, from which on it is the choice. */
  machineGb: 8 | 16 | 32;
  repository: string;
  file: string;
}

export const CHAT_CHOICES: readonly ChatChoice[] = [
  {
    name: 'qwen2.5-1.5b-instruct',
    machineGb: 8,
    repository: 'Qwen/Qwen2.5-1.5B-Instruct-GGUF',
    file: 'qwen2.5-1.5b-instruct-q4_k_m.gguf',
  },
  {
    name: 'qwen3-4b-instruct-2507',
    machineGb: 16,
    repository: 'unsloth/Qwen3-4B-Instruct-2507-GGUF',
    file: 'Qwen3-4B-Instruct-2507-Q4_K_M.gguf',
  },
  {
    name: 'qwen2.5-14b-instruct',
    machineGb: 32,
    repository: 'bartowski/Qwen2.5-14B-Instruct-GGUF',
    file: 'Qwen2.5-14B-Instruct-Q4_K_M.gguf',
  },
];
