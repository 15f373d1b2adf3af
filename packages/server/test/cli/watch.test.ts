/** `quire add --watch --delete`: a folder and its collection while files appear, change, move and go. */
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { createWorkspace } from '../factories.ts';
import { startTestService } from '../server.ts';
import { runCommand } from './run-command.ts';

test('a watched folder is mirrored until Ctrl-C, and an empty one deletes nothing', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'quire-watch-'));
  const service = await startTestService();
  try {
    const { admin } = await createWorkspace(service);
    const env = { QUIRE_CONFIG: path.join(folder, 'none.json'), QUIRE_URL: service.address, QUIRE_KEY: admin };
    const at = (name: string): string => path.join(folder, 'birds', name);
    await mkdir(at('sub'), { recursive: true });
    await writeFile(at('heron.txt'), 'The heron waits.');
    const controller = new AbortController();
    const notes: string[] = [];
    const watching = runCommand(['add', at(''), '-c', 'Birds', '--watch', '--delete'], {
      env,
      signal: controller.signal,
      onNote: (text) => notes.push(text),
    });
    const paths = async (): Promise<unknown> => {
      const ran = await runCommand(['ls', '-c', 'Birds', '--status', 'ready'], { piped: true, env });
      if (ran.out === '') return [];
      return ran.json().map(({ metadata, revision }) => [(metadata as { path: string }).path, revision]);
    };
    const becomes = (expected: unknown): Promise<void> =>
      expect.poll(async () => ((await paths()) as string[]).toSorted(), { timeout: 60_000 }).toEqual(expected);
    await expect.poll(() => notes.join(''), { timeout: 60_000 }).toContain('Watching for changes.');
    await becomes([['heron.txt', 1]]);
    await writeFile(at('sub/kiwi.md'), 'The kiwi does not fly.');
    await becomes([
      ['heron.txt', 1],
      ['sub/kiwi.md', 1],
    ]);
    await writeFile(at('heron.txt'), 'The heron waits no longer.');
    await becomes([
      ['heron.txt', 2],
      ['sub/kiwi.md', 1],
    ]);
    await rename(at('sub/kiwi.md'), at('bird.md'));
    await becomes([
      ['bird.md', 1],
      ['heron.txt', 2],
    ]);
    await rm(at('heron.txt'));
    await becomes([['bird.md', 1]]);
    await rm(at('bird.md'));
    await expect.poll(() => notes.join(''), { timeout: 60_000 }).toContain('no file is at');
    await becomes([['bird.md', 1]]);
    controller.abort(new Error('interrupted'));
    const { err, code } = await watching;
    expect(err).toMatch(/Stopped\. The same command sends what changes until then\.\n$/);
    expect(code).toBe(3);
  } finally {
    await service.stop();
    await rm(folder, { recursive: true });
  }
});
