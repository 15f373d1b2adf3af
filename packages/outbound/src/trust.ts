import { X509Certificate } from 'node:crypto';
import { createSecureContext, rootCertificates, type SecureContext } from 'node:tls';

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/**
 * Builds a context that trusts the given authorities. Checks the text, as OpenSSL silently skips invalid certificates.
 */
export function trusting(pem: string): SecureContext {
  const certificates = pem.match(CERTIFICATE) ?? [];
  if (certificates.length === 0) throw new Error('There is no certificate (PEM) in it');
  for (const certificate of certificates) void new X509Certificate(certificate);
  return createSecureContext({ ca: [...rootCertificates, ...certificates] });
}
