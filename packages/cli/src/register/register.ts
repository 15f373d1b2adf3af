/** Wraps the actions of commands and reads their options. */
import { InvalidArgumentError, Option, type Command } from 'commander';
import type { Context, GlobalOptions, Io } from '../context.ts';
import type { ExitCode } from '../exit-code.ts';

export type Outcome = ExitCode | void;

export interface Register {
  io: Io;
  globals: () => GlobalOptions;
  /** Returns the program with the options and subcommands of all commands. */
  loadAll: () => Promise<Command>;
  /** Wraps an action that needs no service. */
  run: <A extends unknown[]>(action: (...args: A) => Promise<Outcome>) => (...args: A) => Promise<void>;
  /** Wraps an action that calls the service. */
  withContext: <A extends unknown[]>(
    action: (context: Context, ...args: A) => Promise<Outcome>,
  ) => (...args: A) => Promise<void>;
}

export const collectionOption = (): Option => new Option('-c, --collection <name>', 'name or id of the collection');

export const MODES = ['hybrid', 'dense', 'sparse'] as const;
export type Mode = (typeof MODES)[number];

/** Returns a reader of whole numbers within the bounds. */
export const integer =
  (min: number, max: number) =>
  (text: string): number => {
    const value = Number(text);
    if (Number.isInteger(value) && value >= min && value <= max) return value;
    throw new InvalidArgumentError(`Expected a whole number from ${min} to ${max}.`);
  };

/** Reads a number from 0 to 1. */
export function fraction(text: string): number {
  const value = Number(text);
  if (text.trim() !== '' && value >= 0 && value <= 1) return value;
  throw new InvalidArgumentError('Expected a number from 0 to 1.');
}

/** Reads `key=value`; the value is JSON where it is valid JSON, else text. */
export function collectMetadata(text: string, collected: Record<string, unknown>): Record<string, unknown> {
  const [, key, value] = /^([^=]+)=(.*)$/su.exec(text) ?? [];
  if (key === undefined || value === undefined) throw new InvalidArgumentError('Expected key=value.');
  try {
    return { ...collected, [key]: JSON.parse(value) as unknown };
  } catch {
    return { ...collected, [key]: value };
  }
}
