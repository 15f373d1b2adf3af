/** The sources of credentials other than keys in the environment, as the SDK's standard chain reads them. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ListObjectsV2Command } from '@aws-sdk/client-s3';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { connectS3 } from './s3-client.ts';
import { parseS3Location } from './s3-location.ts';
import { startS3TestServer, type S3TestServer } from './testing/s3-server.ts';

const SOURCES = [
  'AWS_ACCESS_KEY_ID',
  'AWS_SECRET_ACCESS_KEY',
  'AWS_SESSION_TOKEN',
  'AWS_PROFILE',
  'AWS_CONTAINER_CREDENTIALS_RELATIVE_URI',
  'AWS_CONTAINER_CREDENTIALS_FULL_URI',
  'AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE',
  'AWS_WEB_IDENTITY_TOKEN_FILE',
  'AWS_ROLE_ARN',
];

let s3: S3TestServer;
let folder: string;
let services: http.Server[];

beforeEach(async () => {
  s3 = await startS3TestServer();
  folder = await mkdtemp(path.join(tmpdir(), 'quire-credentials-'));
  services = [];
  for (const name of SOURCES) vi.stubEnv(name, undefined);
  // Files of the account that runs the tests, and the service of a cloud's machines.
  vi.stubEnv('AWS_CONFIG_FILE', path.join(folder, 'config'));
  vi.stubEnv('AWS_SHARED_CREDENTIALS_FILE', path.join(folder, 'credentials'));
  vi.stubEnv('AWS_EC2_METADATA_DISABLED', 'true');
});
afterEach(async () => {
  vi.unstubAllEnvs();
  for (const service of services) service.close();
  await s3.close();
  await rm(folder, { recursive: true });
});

/** Starts a service on a local port, and returns its address. */
async function serve(answer: (request: http.IncomingMessage) => { status: number; body: string }): Promise<string> {
  const server = http.createServer((request, response) => {
    request.resume();
    const { status, body } = answer(request);
    response.writeHead(status, { 'content-type': body.startsWith('<') ? 'text/xml' : 'application/json' }).end(body);
  });
  services.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Sends requests and returns the key and the session token that signed each of them. */
async function signers(requests = 1): Promise<{ key: string | undefined; token: unknown }[]> {
  const client = connectS3(parseS3Location(`s3://documents?endpoint=${s3.endpoint}`), { limits: { attempts: 1 } });
  try {
    for (let at = 0; at < requests; at += 1) await client.send(new ListObjectsV2Command({ Bucket: 'documents' }));
  } finally {
    client.destroy();
  }
  return s3.requests.map(({ headers }) => ({
    key: /Credential=([^/]+)/.exec(headers.authorization ?? '')?.[1],
    token: headers['x-amz-security-token'],
  }));
}

test('a profile of the credentials file signs requests', async () => {
  await writeFile(
    path.join(folder, 'credentials'),
    '[default]\naws_access_key_id = other\naws_secret_access_key = secret\n' +
      '[quire]\naws_access_key_id = profile-key\naws_secret_access_key = secret\n',
  );
  vi.stubEnv('AWS_PROFILE', 'quire');
  expect(await signers()).toEqual([{ key: 'profile-key', token: undefined }]);
});

test('the service of a container signs requests, and is called again when its credentials have expired', async () => {
  const tokenFile = path.join(folder, 'token');
  await writeFile(tokenFile, 'token-of-the-pod');
  const received: unknown[] = [];
  const address = await serve(({ headers }) => {
    received.push(headers.authorization);
    const expires = Date.now() + (received.length === 1 ? -1_000 : 3_600_000);
    const AccessKeyId = `container-key-${received.length}`;
    const rest = { SecretAccessKey: 'secret', Token: 'session', Expiration: new Date(expires).toISOString() };
    return { status: 200, body: JSON.stringify({ AccessKeyId, ...rest }) };
  });
  vi.stubEnv('AWS_CONTAINER_CREDENTIALS_FULL_URI', `${address}/v1/credentials`);
  vi.stubEnv('AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE', tokenFile);
  const used = await signers(3);
  expect(used.every(({ token }) => token === 'session')).toBe(true);
  expect(used.at(-1)?.key).toBe('container-key-2');
  expect(received).toEqual(['token-of-the-pod', 'token-of-the-pod']);
});

test('the web identity of a service account signs requests', async () => {
  const tokenFile = path.join(folder, 'token');
  await writeFile(tokenFile, 'token-of-the-service-account');
  const address = await serve(() => ({
    status: 200,
    body:
      '<AssumeRoleWithWebIdentityResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><AssumeRoleWithWebIdentityResult>' +
      '<Credentials><AccessKeyId>role-key</AccessKeyId><SecretAccessKey>secret</SecretAccessKey>' +
      `<SessionToken>session</SessionToken><Expiration>${new Date(Date.now() + 3_600_000).toISOString()}</Expiration>` +
      '</Credentials></AssumeRoleWithWebIdentityResult></AssumeRoleWithWebIdentityResponse>',
  }));
  vi.stubEnv('AWS_WEB_IDENTITY_TOKEN_FILE', tokenFile);
  vi.stubEnv('AWS_ROLE_ARN', 'arn:aws:iam::123456789012:role/quire');
  vi.stubEnv('AWS_REGION', 'eu-central-1');
  vi.stubEnv('AWS_ENDPOINT_URL_STS', address);
  expect(await signers()).toEqual([{ key: 'role-key', token: 'session' }]);
});

test('without any source the first request fails with the reason', async () => {
  await expect(signers()).rejects.toThrow(
    'The object store does not answer: Could not load credentials from any providers',
  );
  expect(s3.requests).toEqual([]);
});
