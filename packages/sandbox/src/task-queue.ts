/**
 * The order in which waiting tasks start. Each has a rank: its arrival plus a handicap that grows with the time it is
 * expected to take. Small files overtake large ones, but only those that came less than the handicap before, so
 * nothing waits for ever.
 */
export interface QueuedTask {
  rank: number;
  /** Not to take the child that is kept for short tasks. */
  long: boolean;
}

/** A task expected to take longer than this is long. */
export const LONG_TASK_MS = 1500;
const MAX_HANDICAP_MS = 60_000;
/** A file waits up to ten times as long as it is expected to take. */
const HANDICAP_FACTOR = 10;

export type TaskPriority = 'high' | 'normal' | 'low';
const PRIORITY_MS: Readonly<Record<TaskPriority, number>> = { high: -10_000, normal: 0, low: 30_000 };

export function rankOf(arrivedAtMs: number, expectedMs: number, priority: TaskPriority): number {
  return arrivedAtMs + Math.min(expectedMs * HANDICAP_FACTOR, MAX_HANDICAP_MS) + PRIORITY_MS[priority];
}

export class TaskQueue<Task extends QueuedTask> {
  readonly #tasks: Task[] = [];

  get length(): number {
    return this.#tasks.length;
  }

  add(task: Task): void {
    let low = 0;
    let high = this.#tasks.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const other = this.#tasks[middle];
      if (other !== undefined && other.rank <= task.rank) low = middle + 1;
      else high = middle;
    }
    this.#tasks.splice(low, 0, task);
  }

  /** The next to start, undefined when there is none or only long ones where these are not allowed. */
  take(longAllowed: boolean): Task | undefined {
    const at = longAllowed ? 0 : this.#tasks.findIndex((task) => !task.long);
    return at < 0 ? undefined : this.#tasks.splice(at, 1)[0];
  }

  remove(task: Task): boolean {
    const at = this.#tasks.indexOf(task);
    if (at >= 0) this.#tasks.splice(at, 1);
    return at >= 0;
  }
}
