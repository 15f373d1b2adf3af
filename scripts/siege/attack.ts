/**
 * One way to harm the service: a file of `attacks/`, which the siege finds by itself. It uses the service as a client
 * does, sends its inputs again and again until the signal is aborted, and may return earlier.
 */
export interface Attack {
  /** Short name, for the table and `--only`. */
  name: string;
  /** Label of the fault that it once caused, such as `F1`. */
  fault: string;
  run: (target: Target) => Promise<void>;
}

export interface Target {
  /** Address of the service, without `/v1`. */
  url: string;
  /** Keys of the attacked workspace. */
  keys: Record<'admin' | 'write' | 'read', string>;
  /** Id of the attacked workspace. */
  workspace: string;
  /** Id of a collection in it with some documents. */
  collection: string;
  /** Id of a chat of the admin key, which no other key may see. */
  chat: string;
  seed: number;
  signal: AbortSignal;
  /** Sends a request, notes its status, and resolves when its answer was read; undefined without an answer. */
  send: (method: string, path: string, options?: SendOptions) => Promise<Answer | undefined>;
  /** Notes the status of an answer that the attack has received by itself; a 5xx but 503 breaks a bound. */
  note: (status: number, input: string) => void;
  /** Notes a broken promise, which fails the siege. */
  broken: (promise: string) => void;
}

export interface SendOptions {
  key?: string | null;
  /** Sent as it is. */
  body?: string | Uint8Array<ArrayBuffer> | FormData;
  headers?: Record<string, string>;
}

export interface Answer {
  status: number;
  /** The first megabyte of the answer. */
  text: string;
}

/** Repeats a step in parallel until the signal is aborted. */
export async function repeat(
  signal: AbortSignal,
  parallel: number,
  step: (round: number) => Promise<unknown>,
): Promise<void> {
  let rounds = 0;
  const worker = async (): Promise<void> => {
    while (!signal.aborted) {
      rounds += 1;
      await step(rounds);
    }
  };
  await Promise.all(Array.from({ length: parallel }, worker));
}
