/** The client of an S3 service, with time limits and retries. Credentials come from the SDK's standard chain. */
import { rootCertificates } from 'node:tls';
import { S3Client } from '@aws-sdk/client-s3';
import { StorageUnavailable } from '../../shared/storage-unavailable.ts';
import { isInterruption } from './s3-errors.ts';
import type { S3Location } from './s3-location.ts';

export interface S3ClientOptions {
  /** Certificates (PEM) of authorities that are trusted beside the well-known ones. */
  extraCa?: string | null;
  limits?: Partial<S3Limits>;
}

export interface S3Limits {
  connectMs: number;
  /** Time without a byte, or until the headers of a response. */
  silenceMs: number;
  /** Attempts of a request that fails with 429, 5xx or a broken connection. */
  attempts: number;
}

/**
 * Switches off the SDK's warning that its versions of 2027 end the support of Node 20: the version is pinned here, so
 * that it concerns who updates it and not who runs the service. The value of the environment has precedence.
 */
const NODE_WARNING = 'AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED';

const LIMITS: S3Limits = { connectMs: 5_000, silenceMs: 30_000, attempts: 5 };
const MAX_SOCKETS = 64;

/** Requests of the client reject with `StorageUnavailable` when the service is down after all retries. */
export function connectS3(location: S3Location, { extraCa = null, limits }: S3ClientOptions): S3Client {
  const { connectMs, silenceMs, attempts } = { ...LIMITS, ...limits };
  const agent = { keepAlive: true, maxSockets: MAX_SOCKETS };
  process.env[NODE_WARNING] ??= 'true';
  const client = new S3Client({
    ...(location.region !== null && { region: location.region }),
    ...(location.endpoint !== null && { endpoint: location.endpoint }),
    forcePathStyle: location.forcePathStyle,
    maxAttempts: attempts,
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: connectMs,
      requestTimeout: silenceMs,
      throwOnRequestTimeout: true,
      socketTimeout: silenceMs,
      httpAgent: agent,
      httpsAgent: extraCa === null ? agent : { ...agent, ca: [...rootCertificates, extraCa] },
    },
  });
  // The first step encloses the retries, so it sees the error of the last attempt.
  client.middlewareStack.add(
    (next) => async (args) => {
      try {
        return await next(args);
      } catch (error) {
        throw isInterruption(error) ? asUnavailable(error) : error;
      }
    },
    { step: 'initialize', name: 'namesOutages' },
  );
  return client;
}

const asUnavailable = (error: unknown): StorageUnavailable =>
  new StorageUnavailable(
    `The object store does not answer: ${error instanceof Error ? error.message : String(error)}`,
    {
      cause: error,
    },
  );
