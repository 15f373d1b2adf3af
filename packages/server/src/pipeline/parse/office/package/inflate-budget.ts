import { ContentError } from '../../../../errors.ts';
import type { ParseLimits } from '../../parser.ts';

/** Ratios are judged only above this size: tiny members of repeated text compress a hundredfold and harm nobody. */
const RATIO_FLOOR_BYTES = 100 * 1024;

/** Counts the bytes that really come out of a package's members, over all of them and per member. */
export class InflateBudget {
  #spentBytes = 0;
  readonly #limits: ParseLimits;

  constructor(limits: ParseLimits) {
    this.#limits = limits;
  }

  /** Checks what the directory promises, so that an honest bomb is refused before a byte of it is inflated. */
  announce(declaredBytes: number, compressedBytes: number): void {
    this.#check(this.#spentBytes + declaredBytes, declaredBytes, compressedBytes);
  }

  /** `memberBytes` have come out of the member so far, `newBytes` of them just now. */
  spend(newBytes: number, memberBytes: number, compressedBytes: number): void {
    this.#spentBytes += newBytes;
    this.#check(this.#spentBytes, memberBytes, compressedBytes);
  }

  #check(totalBytes: number, memberBytes: number, compressedBytes: number): void {
    if (totalBytes > this.#limits.maxInflatedBytes) {
      throw new ContentError('too_large', 'The file unpacks to more data than is allowed');
    }
    const ratio = memberBytes / Math.max(1, compressedBytes);
    if (memberBytes > RATIO_FLOOR_BYTES && ratio > this.#limits.maxArchiveRatio) {
      throw new ContentError('too_large', 'The file is packed so tightly that it looks like a zip bomb');
    }
  }
}
