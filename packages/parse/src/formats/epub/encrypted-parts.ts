import type { OfficePackage } from '../../office/package/office-package.ts';
import { attribute } from '../../office/xml/xml-element.ts';
import { elementsNamed, resolvePath } from './package-document.ts';

const ENCRYPTION = 'META-INF/encryption.xml';

/** Returns the paths of the parts that the book lists as encrypted or obfuscated. */
export function encryptedParts(book: OfficePackage): Set<string> {
  const root = book.optionalTree(ENCRYPTION, { allowPlainDoctype: true });
  const references = root === undefined ? [] : elementsNamed(root, 'CipherReference');
  return new Set(references.map((reference) => resolvePath('', attribute(reference, 'URI') ?? '')));
}
