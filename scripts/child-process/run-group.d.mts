/**
 * Runs a command in a process group of its own and resolves with its exit status. The group ends when the command or
 * this process ends, also if it is killed; signals to this process are passed on to it.
 */
export function runGroup(command: string, args: readonly string[]): Promise<number>;
