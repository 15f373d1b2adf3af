// `node prune-install.mjs [node_modules]`: removes the files of a production install that this platform never loads:
// ONNX Runtime for other platforms, browser builds, unused module builds and fonts, source maps and TypeScript. Run it
// after `npm install`.
import { existsSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';

const modules = path.resolve(process.argv[2] ?? 'node_modules');

/** Browser builds and sources beside the files that Node loads. */
const UNUSED = [
  '@cantoo/pdf-lib/dist',
  '@cantoo/pdf-lib/src',
  '@cantoo/pdf-lib/ts3.4',
  // An optional peer of a reader of settings, which a prune of development dependencies keeps.
  'typescript',
  '@typescript',
];

/** Tesseract's core for browsers, with the WebAssembly code inlined. */
const isInlinedCore = (name) => /^tesseract-core.*\.wasm\.js$/.test(name);
/** Node does not load TypeScript from node_modules. */
const isDevelopmentFile = (name) => /\.map$|\.[cm]?ts$|\.tsbuildinfo$/.test(name);
/** The other weights of the font are not drawn. */
const isUnusedFont = (name) => /^\d{3}/.test(name) && !/^(?:400Regular|700Bold)(?:_Italic)?$/.test(name);

const remove = (...parts) => rmSync(path.join(modules, ...parts), { recursive: true, force: true });
const list = (...parts) => {
  const folder = path.join(modules, ...parts);
  return existsSync(folder) ? readdirSync(folder) : [];
};

function removeOtherPlatforms() {
  const binaries = ['onnxruntime-node', 'bin'];
  for (const api of list(...binaries)) {
    for (const platform of list(...binaries, api)) {
      if (platform !== process.platform) remove(...binaries, api, platform);
    }
    for (const architecture of list(...binaries, api, process.platform)) {
      if (architecture !== process.arch) remove(...binaries, api, process.platform, architecture);
    }
  }
}

function removeDevelopmentFiles(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const file = path.join(folder, entry.name);
    // The packages of a workspace are symbolic links, which are not followed.
    if (entry.isDirectory()) removeDevelopmentFiles(file);
    else if (entry.isFile() && isDevelopmentFile(entry.name)) rmSync(file);
  }
}

if (!existsSync(path.join(modules, 'onnxruntime-node'))) throw new Error(`${modules} is not an install of Quire`);
removeOtherPlatforms();
for (const folder of UNUSED) remove(folder);
// Builds for browsers and bundlers; Node loads `build/src`.
for (const name of list('@opentelemetry'))
  for (const build of ['esm', 'esnext']) remove('@opentelemetry', name, 'build', build);
// Native code for another JavaScript runtime.
for (const name of list().filter((each) => each.startsWith('bare-'))) remove(name, 'prebuilds');
for (const name of list('tesseract.js-core').filter(isInlinedCore)) remove('tesseract.js-core', name);
const FONT = '@expo-google-fonts/noto-sans';
for (const name of list(FONT).filter(isUnusedFont)) remove(FONT, name);
// Node loads the CommonJS build of the AWS SDK.
for (const scope of ['@aws-sdk', '@smithy', '@aws']) for (const name of list(scope)) remove(scope, name, 'dist-es');
removeDevelopmentFiles(modules);
