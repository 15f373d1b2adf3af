import { DiffcpError, parsePointer, type Json, type Line, type Operation } from './patch.ts';

type Container = Json[] | { [key: string]: Json };

const isContainer = (value: Json | undefined): value is Container => typeof value === 'object' && value !== null;

/** Returns the state after the operations. The given state is not changed; unchanged parts are shared with it. */
export function apply(state: Json, ops: readonly Operation[]): Json {
  return ops.reduce(applyOne, state);
}

/**
 * Applies lines to the state and checks that none is missing. A repeated `seq` (heartbeat, overlap after a resume) is
 * skipped.
 */
export class Fold {
  #state: Json = null;
  #seq = -1;

  get state(): Json {
    return this.#state;
  }

  /** Sequence number of the last applied line, the value of `after` when resuming; -1 before the first line. */
  get seq(): number {
    return this.#seq;
  }

  /** Returns whether the line was applied. */
  push(line: Line): boolean {
    if (line.seq <= this.#seq) return false;
    if (line.seq !== this.#seq + 1) throw new DiffcpError(`line ${line.seq} follows line ${this.#seq}`);
    this.#state = apply(this.#state, line.ops);
    this.#seq = line.seq;
    return true;
  }
}

function applyOne(state: Json, operation: Operation): Json {
  return update(state, parsePointer(operation.path), operation);
}

function update(value: Json, [part, ...rest]: readonly string[], operation: Operation): Json {
  if (part === undefined) return atTarget(value, operation);
  if (!isContainer(value)) throw fault(operation, 'leads through something that has no members');
  if (rest.length === 0 && operation.op !== 'append') return inContainer(value, part, operation);
  const child = read(value, part, operation);
  return write(value, part, update(child, rest, operation));
}

function atTarget(value: Json, operation: Operation): Json {
  switch (operation.op) {
    case 'add':
    case 'replace':
      return operation.value;
    case 'append':
      return append(value, operation);
    case 'remove':
      throw fault(operation, 'cannot remove the whole document');
    default:
      throw unknown(operation);
  }
}

function append(value: Json, operation: Operation & { op: 'append' }): Json {
  if (Array.isArray(value)) return [...value, operation.value];
  if (typeof value === 'string' && typeof operation.value === 'string') return value + operation.value;
  throw fault(operation, 'appends only to an array, or a string to a string');
}

function inContainer(container: Container, part: string, operation: Operation): Json {
  switch (operation.op) {
    case 'add':
      if (!Array.isArray(container)) return write(container, part, operation.value);
      return container.toSpliced(
        part === '-' ? container.length : index(container, part, operation, 1),
        0,
        operation.value,
      );
    case 'replace':
      read(container, part, operation);
      return write(container, part, operation.value);
    case 'remove': {
      read(container, part, operation);
      if (Array.isArray(container)) return container.toSpliced(Number(part), 1);
      const { [part]: _removed, ...others } = container;
      return others;
    }
    case 'append':
      throw fault(operation, 'is handled at its target');
    default:
      throw unknown(operation);
  }
}

function read(container: Container, part: string, operation: Operation): Json {
  const value = Array.isArray(container)
    ? container[index(container, part, operation, 0)]
    : Object.hasOwn(container, part)
      ? container[part]
      : undefined;
  if (value === undefined) throw fault(operation, 'leads to nothing');
  return value;
}

function write(container: Container, part: string, value: Json): Container {
  if (Array.isArray(container)) return container.with(Number(part), value);
  // Uses `defineProperty` instead of assignment because a member may be called `__proto__`.
  return Object.defineProperty({ ...container }, part, { value, enumerable: true, configurable: true, writable: true });
}

function index(array: readonly Json[], part: string, operation: Operation, extra: number): number {
  const found = /^(0|[1-9]\d*)$/.test(part) ? Number(part) : NaN;
  if (!(found < array.length + extra)) throw fault(operation, 'is outside of the array');
  return found;
}

const fault = (operation: Operation, what: string): DiffcpError =>
  new DiffcpError(`${operation.op} ${JSON.stringify(operation.path)}: the path ${what}`);

const unknown = (operation: never): DiffcpError =>
  new DiffcpError(`unknown operation ${JSON.stringify((operation as { op?: unknown }).op)}`);
