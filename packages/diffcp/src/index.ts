export { apply, Fold } from './apply.ts';
export { diff } from './diff.ts';
export { LineReader, readLines, writeLine } from './ndjson.ts';
export { DiffcpError, formatPointer, parsePointer, type Json, type Line, type Operation } from './patch.ts';
