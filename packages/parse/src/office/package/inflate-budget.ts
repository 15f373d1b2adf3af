import { ContentError } from '@quire/blocks/content-error';
import type { ZipMember } from '../../archive/zip-directory.ts';
import { isMarkup, TIGHT_BYTES } from '../../archive/zip-limits.ts';
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
  announce(member: ZipMember): void {
    this.#check(this.#spentBytes + member.declaredBytes, member.declaredBytes, member);
  }

  /** `memberBytes` have come out of the member so far, `newBytes` of them just now. */
  spend(newBytes: number, memberBytes: number, member: ZipMember): void {
    this.#spentBytes += newBytes;
    this.#check(this.#spentBytes, memberBytes, member);
  }

  #check(totalBytes: number, memberBytes: number, { name, compressedBytes }: ZipMember): void {
    if (totalBytes > this.#limits.maxInflatedBytes) {
      throw new ContentError('too_large', 'The file unpacks to more data than is allowed');
    }
    const ratio = memberBytes / Math.max(1, compressedBytes);
    // All pictures together are held to this by their declared sizes when the file arrives.
    const floor = isMarkup(name) ? RATIO_FLOOR_BYTES : TIGHT_BYTES;
    if (memberBytes > floor && ratio > this.#limits.maxArchiveRatio) {
      throw new ContentError('too_large', 'The file is packed so tightly that it looks like a zip bomb');
    }
  }
}
