import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { jsonForm, readDockerfile } from './dockerfile.ts';

const source = readFileSync(new URL('../../deploy/Dockerfile', import.meta.url), 'utf8');
const words = (text: string): string[] => text.split(/\s+/).filter((word) => word !== '' && word !== '\\');

test('every line of the image’s Dockerfile but comments is carried out, in its order', () => {
  const stages = readDockerfile(source);
  const carriedOut = stages.flatMap(({ base, name, instructions }) => [
    name === '' ? `FROM ${base}` : `FROM ${base} AS ${name}`,
    ...instructions.map((instruction) => `${instruction.name} ${instruction.text}`),
  ]);
  const written = source.split('\n').filter((line) => !line.trimStart().startsWith('#'));
  expect(words(carriedOut.join(' '))).toEqual(words(written.join(' ')));
  expect(stages.map(({ name }) => name)).toEqual(['build', '']);
});

test('an instruction that is not carried out is an error', () => {
  expect(() => readDockerfile('FROM x\nADD a b\n')).toThrow('the instruction ADD is not supported here');
});

test('the arguments of a health check follow its options', () => {
  expect(jsonForm('--interval=15s --timeout=5s CMD ["node", "-e", "f([1])"]')).toEqual(['node', '-e', 'f([1])']);
});
