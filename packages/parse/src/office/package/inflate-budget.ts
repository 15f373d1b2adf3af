import { ContentError } from '@quire/blocks/content-error';
import type { ZipMember } from '../../archive/zip-directory.ts';
import { isMarkup, TIGHT_BYTES } from '../../archive/zip-limits.ts';
import type { ParseLimits } from '../../parser.ts';

/** Size in bytes up to which any ratio is allowed; small members of repeated text may compress a hundredfold. */
const RATIO_FLOOR_BYTES = 100 * 1024;

/** Counts the inflated bytes of a package, in total and per member, against the limits. */
export class InflateBudget {
  #spentBytes = 0;
  readonly #limits: ParseLimits;

  constructor(limits: ParseLimits) {
    this.#limits = limits;
  }

  /** Checks the declared size, so that a bomb that declares its size is refused before inflating. */
  announce(member: ZipMember): void {
    this.#check(this.#spentBytes + member.declaredBytes, member.declaredBytes, member);
  }

  /** Counts `newBytes`, the latest part of the `memberBytes` inflated so far. */
  spend(newBytes: number, memberBytes: number, member: ZipMember): void {
    this.#spentBytes += newBytes;
    this.#check(this.#spentBytes, memberBytes, member);
  }

  #check(totalBytes: number, memberBytes: number, { name, compressedBytes }: ZipMember): void {
    if (totalBytes > this.#limits.maxInflatedBytes) {
      throw new ContentError('too_large', 'The file unpacks to more data than allowed');
    }
    const ratio = memberBytes / Math.max(1, compressedBytes);
    // The total declared size of all pictures is checked at upload.
    const floor = isMarkup(name) ? RATIO_FLOOR_BYTES : TIGHT_BYTES;
    if (memberBytes > floor && ratio > this.#limits.maxArchiveRatio) {
      throw new ContentError('too_large', 'The compression ratio of the file is that of a zip bomb');
    }
  }
}
