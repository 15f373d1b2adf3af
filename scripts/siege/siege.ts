/** Runs the attacks in turns and then all together, while a probe, a neighbour and the memory are watched. */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { memoryMb } from '../../packages/server/test/service-process.ts';
import { spawnWithParent } from '../child-process/spawn-with-parent.mjs';
import type { Attack } from './attack.ts';
import type { Findings } from './bounds.ts';
import type { Place } from './place.ts';
import type { PhaseLatencies } from './probe.ts';
import { Answers, sender } from './send.ts';

/** Share of the time for the attacks in turns; the rest is for all of them together. */
const TURNS_SHARE = 0.6;
const MEMORY_INTERVAL_MS = 1_000;
/** Rounds of the neighbour before the memory of the idle service is measured: models and parsers are loaded then. */
const WARM_ROUNDS = 3;
const IDLE_MS = 5_000;
/** Time in which an attack must end after its signal. */
const END_MS = 30_000;

export interface Phase {
  name: string;
  answers: Answers;
  /** Largest memory of all processes, and of the main process alone. */
  maxMb: number;
  maxMainMb: number;
}

export interface Result extends Findings {
  phases: Phase[];
}

export interface SiegeOptions {
  seed: number;
  /** For all attacks; the start of the service is not counted. */
  durationMs: number;
}

export class Siege {
  readonly #place: Place;
  readonly #options: SiegeOptions;
  readonly #probe: ChildProcess;
  readonly #phases: Phase[] = [];
  readonly #promises = new Set<string>();
  #maxMb = 0;
  #death: string | undefined;

  constructor(place: Place, options: SiegeOptions) {
    this.#place = place;
    this.#options = options;
    const program = fileURLToPath(new URL('probe.ts', import.meta.url));
    this.#probe = spawnWithParent(process.execPath, ['--import', 'tsx', program, place.service.address], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    void place.service.ended.then(({ code, signal }) => (this.#death = `code ${code}, signal ${signal}`));
  }

  async run(attacks: readonly Attack[]): Promise<Result> {
    const { neighbour, service } = this.#place;
    for (let round = 0; round < WARM_ROUNDS; round += 1) await neighbour.round();
    await sleep(IDLE_MS);
    const idleMb = memoryMb(service.pid).own;
    const ending = new AbortController();
    const living = neighbour.live(ending.signal);
    const watching = this.#watchMemory(ending.signal);
    const { durationMs } = this.#options;
    for (const attack of attacks) await this.#phase(attack.name, [attack], (durationMs * TURNS_SHARE) / attacks.length);
    if (attacks.length > 1) await this.#phase('all together', attacks, durationMs * (1 - TURNS_SHARE));
    ending.abort();
    await Promise.all([living, watching]);
    const latencies = await this.#endProbe();
    const failures = this.#phases.flatMap(({ name, answers }) =>
      [...answers.failures].map(([input, status]) => `${name}: ${status} for ${input}`),
    );
    const { refusals } = neighbour;
    const promises = [...this.#promises];
    return {
      phases: this.#phases,
      latencies,
      idleMb,
      maxMb: this.#maxMb,
      death: this.#death,
      refusals,
      failures,
      promises,
    };
  }

  async #phase(name: string, attacks: readonly Attack[], durationMs: number): Promise<void> {
    if (this.#death !== undefined) return;
    const phase: Phase = { name, answers: new Answers(), maxMb: 0, maxMainMb: 0 };
    this.#phases.push(phase);
    this.#place.neighbour.phase = name;
    this.#probe.send({ phase: name });
    const timeout = AbortSignal.timeout(durationMs);
    const ended = new AbortController();
    const running = Promise.all(attacks.map((attack) => this.#attack(attack, phase, timeout)));
    const late = sleep(durationMs + END_MS, 'late', { signal: ended.signal });
    if ((await Promise.race([running, late])) === 'late') this.#promises.add(`${name} did not end after its signal`);
    ended.abort();
    await late.catch(() => undefined);
  }

  async #attack(attack: Attack, { answers }: Phase, signal: AbortSignal): Promise<void> {
    const { attacked } = this.#place;
    try {
      await attack.run({
        ...attacked,
        seed: this.#options.seed,
        signal,
        send: sender(attacked.url, answers, signal),
        note: (status, input) => answers.note(status, input),
        broken: (promise) => this.#promises.add(promise),
      });
    } catch (error) {
      if (!signal.aborted) this.#promises.add(`the attack ${attack.name} itself failed: ${String(error)}`);
    }
  }

  async #watchMemory(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const { all, own } = memoryMb(this.#place.service.pid);
      this.#maxMb = Math.max(this.#maxMb, own);
      const phase = this.#phases.at(-1);
      if (phase !== undefined) {
        phase.maxMb = Math.max(phase.maxMb, all);
        phase.maxMainMb = Math.max(phase.maxMainMb, own);
      }
      await sleep(MEMORY_INTERVAL_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  async #endProbe(): Promise<PhaseLatencies[]> {
    const answer = once(this.#probe, 'message');
    this.#probe.send({ phase: 'end' });
    const [latencies] = (await answer) as [PhaseLatencies[]];
    return latencies;
  }
}
