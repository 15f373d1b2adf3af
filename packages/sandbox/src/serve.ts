/**
 * The child's side of the pool: receives one task at a time from the channel, runs its handler and replies. Called by
 * the entry file of a child with its handlers.
 */
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { serialize } from 'node:v8';
import { Worker } from 'node:worker_threads';
import { markExpendable } from '@quire/shared/expendable';
import { describeFailure } from './failure.ts';
import {
  CHILD_SETTINGS,
  RESULT_FILE,
  RESULT_FILE_BYTES,
  type ChildMessage,
  type RunMessage,
  type TaskContext,
  type TaskHandlers,
  type TaskTable,
} from './protocol.ts';
import type { WatchdogSettings } from './watchdog.ts';

const PROGRESS_INTERVAL_MS = 250;
/** Nice levels below the service, which answers requests on the same cores. */
const NICENESS_STEP = 5;
const MAX_NICENESS = 19;

/** Starts to serve tasks; the process then lives until the pool kills it. */
export function serveTasks<Tasks extends TaskTable>(handlers: TaskHandlers<Tasks>): void {
  const directory = requiredSetting(CHILD_SETTINGS.directory);
  const tempDir = path.join(directory, 'task');
  mkdirSync(tempDir, { recursive: true });
  markExpendable();
  const watchdog = startWatchdog(directory);
  lowerPriority();
  process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
  process.on('message', (message: RunMessage) => {
    const handler = handlers[message.task];
    if (handler === undefined) throw new Error(`no task ${message.task}`);
    void answer((context) => handler(message.input, context), tempDir, directory);
  });
  watchdog.once('online', () => send({ type: 'ready' }));
}

/** Lowers this process's priority relative to the inherited one. Ignores failures, as the priority is not essential. */
function lowerPriority(): void {
  try {
    os.setPriority(Math.min(MAX_NICENESS, os.getPriority() + NICENESS_STEP));
  } catch {
    // Some systems refuse every change of priority.
  }
}

function requiredSetting(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is not set: this process is started by the pool only`);
  return value;
}

function startWatchdog(directory: string): Worker {
  const settings: WatchdogSettings = {
    memoryBytes: Number(requiredSetting(CHILD_SETTINGS.memoryBytes)),
    parentPid: process.ppid,
    directory,
  };
  const watchdog = new Worker(new URL('./watchdog.js', import.meta.url), { workerData: settings, execArgv: [] });
  watchdog.unref();
  // Without its watchdog a child could outlive the service, so it ends.
  watchdog.on('error', () => process.kill(process.pid, 'SIGKILL'));
  return watchdog;
}

async function answer(
  run: (context: TaskContext) => Promise<unknown>,
  tempDir: string,
  directory: string,
): Promise<void> {
  let reply: ChildMessage;
  try {
    const result = await run({ signal: new AbortController().signal, tempDir, onProgress: throttledProgress() });
    reply = packResult(result, directory);
  } catch (error) {
    reply = { type: 'failed', failure: describeFailure(error), rssBytes: process.memoryUsage.rss() };
  }
  emptyDirectory(tempDir);
  send(reply);
}

/** Reads the directory first: it is empty after most tasks, and removing and making it again takes longer. */
function emptyDirectory(directory: string): void {
  mkdirSync(directory, { recursive: true });
  for (const name of readdirSync(directory)) rmSync(path.join(directory, name), { recursive: true, force: true });
}

function packResult(result: unknown, directory: string): ChildMessage {
  const rssBytes = process.memoryUsage.rss();
  if (sizeHint(result) < RESULT_FILE_BYTES) return { type: 'done', result, rssBytes };
  writeFileSync(path.join(directory, RESULT_FILE), serialize(result));
  return { type: 'doneInFile', rssBytes };
}

/** Returns a lower bound of the result's size in bytes, from its buffers and strings; stops at the limit. */
function sizeHint(result: unknown): number {
  let bytes = 0;
  const open: unknown[] = [result];
  while (open.length > 0 && bytes < RESULT_FILE_BYTES) {
    const value = open.pop();
    if (typeof value === 'string') bytes += value.length;
    else if (ArrayBuffer.isView(value)) bytes += value.byteLength;
    else if (Array.isArray(value)) for (const element of value) open.push(element);
    else if (typeof value === 'object' && value !== null) open.push(...Object.values(value));
  }
  return bytes;
}

function throttledProgress(): (fraction: number) => void {
  let nextAt = Date.now() + PROGRESS_INTERVAL_MS;
  return (fraction) => {
    if (Date.now() < nextAt) return;
    nextAt = Date.now() + PROGRESS_INTERVAL_MS;
    send({ type: 'progress', fraction: Math.min(1, Math.max(0, fraction)) });
  };
}

function send(message: ChildMessage): void {
  process.send?.(message);
}
