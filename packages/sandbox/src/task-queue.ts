/**
 * The queue of waiting tasks. The rank of a task is its arrival plus a handicap that grows with its estimated duration.
 * Small files overtake large ones that came up to the handicap before them, so no task waits for ever.
 */
export interface QueuedTask {
  rank: number;
  /** True for a task that must not use the child reserved for short tasks. */
  long: boolean;
}

/** Estimated duration above which a task is long. */
export const LONG_TASK_MS = 1500;
const MAX_HANDICAP_MS = 60_000;
/** A file may wait up to ten times its estimated duration. */
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

  /** Returns the next task; undefined if there is none, or only long ones and `longAllowed` is false. */
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
