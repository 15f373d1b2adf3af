import type { RowDefinition } from '../../office/build/edge-table.ts';

/** Collects the definition of a table row from its control words; each `\cellx` ends the definition of a cell. */
export class RtfRow {
  #edges: number[] = [0];
  #merges: RowDefinition['merges'] = [];
  #next: RowDefinition['merges'][number] = 'none';

  word(name: string, value: number | undefined): void {
    switch (name) {
      case 'trowd':
        this.#edges = [0];
        this.#merges = [];
        this.#next = 'none';
        break;
      case 'trleft':
        if (this.#edges.length === 1) this.#edges = [value ?? 0];
        break;
      case 'clmrg':
        this.#next = 'continuesLeft';
        break;
      case 'clvmrg':
        this.#next = 'continuesAbove';
        break;
      case 'cellx':
        if (this.#merges.length < 1_000) {
          this.#edges.push(value ?? 0);
          this.#merges.push(this.#next);
        }
        this.#next = 'none';
        break;
      default:
    }
  }

  definition(): RowDefinition | undefined {
    return this.#merges.length === 0 ? undefined : { edges: [...this.#edges], merges: [...this.#merges] };
  }
}
