import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { addTree, createWorkFolder, removeAbandonedFolders, removeWorkFolder } from './compare-trees.ts';

let folder: string;
let root: string;

const git = (...args: string[]): string => execFileSync('git', ['-C', root, ...args], { encoding: 'utf8' });
const worktrees = (): number => git('worktree', 'list').trim().split('\n').length;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'quire-trees-'));
  root = path.join(folder, 'repository');
  mkdirSync(root);
  git('init', '--quiet');
  git('-c', 'user.name=t', '-c', 'user.email=t@example.com', 'commit', '--quiet', '--allow-empty', '-m', 'first');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('folders of ended processes are removed with their worktrees; others stay', () => {
  const { pid: ended } = spawnSync(process.execPath, ['--version']);
  const abandoned = path.join(folder, `quire-compare-${ended}-abc`);
  mkdirSync(abandoned);
  addTree(root, path.join(abandoned, 'before'), 'HEAD');
  const own = createWorkFolder(folder);
  addTree(root, path.join(own, 'before'), 'HEAD');
  const other = path.join(folder, 'quire-compare-results');
  mkdirSync(other);

  removeAbandonedFolders(root, folder);
  expect([abandoned, own, other].map((each) => existsSync(each))).toEqual([false, true, true]);
  expect(worktrees()).toBe(2);
});

test('a folder is removed with its worktrees', () => {
  const own = createWorkFolder(folder);
  addTree(root, path.join(own, 'before'), 'HEAD');
  removeWorkFolder(root, own);
  expect(existsSync(own)).toBe(false);
  expect(worktrees()).toBe(1);
});
