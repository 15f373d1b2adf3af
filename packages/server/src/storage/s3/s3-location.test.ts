import { expect, test } from 'vitest';
import { parseS3Location } from './s3-location.ts';

test('reads bucket, prefix and parameters, with the defaults of AWS', () => {
  expect(parseS3Location('s3://my.bucket?region=eu-central-1')).toEqual({
    bucket: 'my.bucket',
    prefix: '',
    endpoint: null,
    region: 'eu-central-1',
    forcePathStyle: false,
    encryption: null,
  });
  const address =
    's3://docs/quire/prod/?endpoint=http://127.0.0.1:9000/&region=local&encryption=aws:kms&kmsKeyId=alias/quire';
  expect(parseS3Location(address)).toEqual({
    bucket: 'docs',
    prefix: 'quire/prod/',
    endpoint: 'http://127.0.0.1:9000',
    region: 'local',
    forcePathStyle: true,
    encryption: { algorithm: 'aws:kms', kmsKeyId: 'alias/quire' },
  });
  expect(parseS3Location('s3://docs?endpoint=https://s3.example.com&pathStyle=false').forcePathStyle).toBe(false);
});

test('leaves the region of AWS to the environment of the SDK', () => {
  expect(parseS3Location('s3://docs').region).toBeNull();
  expect(parseS3Location('s3://docs?endpoint=https://s3.example.com').region).toBe('us-east-1');
});

test.for([
  ['s3://key:secret@docs', 'credentials do not belong into the address'],
  ['s3://', 'is not the name of a bucket'],
  ['s3://UPPER_case', 'is not the name of a bucket'],
  ['s3://docs:9000', 'a port belongs into the parameter endpoint'],
  ['s3://docs/a b', 'has other characters'],
  ['s3://docs/a/../b%20', 'has other characters'],
  ['s3://docs?endpiont=x', "there is no parameter 'endpiont'"],
  ['s3://docs?endpoint=s3.example.com', 'endpoint is not a URL'],
  ['s3://docs?endpoint=https://a:b@s3.example.com', 'credentials do not belong into the endpoint'],
  ['s3://docs?encryption=DES', 'encryption is not AES256 or aws:kms'],
  ['s3://docs?encryption=AES256&kmsKeyId=x', 'kmsKeyId needs encryption=aws:kms'],
  ['s3://docs?pathStyle=maybe', 'pathStyle is not true or false'],
] as const)('refuses %s', ([address, reason]) => {
  expect(() => parseS3Location(address)).toThrow(reason);
});
