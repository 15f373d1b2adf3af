import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { compiledFile } from '@quire/shared/compiled-file';

test.runIf(process.platform === 'linux')(
  'the kernel ends the process of a model before the service when memory is short',
  async () => {
    const child = fork(compiledFile(import.meta.url, 'gguf-child.js'), [], {
      execArgv: [],
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    try {
      child.send({ type: 'ask', history: [], schema: null, maxTokens: 1, temperature: 0 });
      const [message] = await once(child, 'message');
      expect(message).toEqual({ type: 'failed', message: 'No model is loaded' });
      expect(readFileSync(`/proc/${child.pid}/oom_score_adj`, 'utf8')).toBe('900\n');
    } finally {
      child.kill('SIGKILL');
    }
  },
);
