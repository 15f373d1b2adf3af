/** Receives the form of a run: files under any part name, and one part for each block, in any order. */
import type { MultipartFile } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import { ApiError, type ErrorDetail } from '../errors.ts';
import type { Upload } from '../domain/documents/types.ts';
import { checkBoundary } from './boundary.ts';
import { parseFileName } from './file-name.ts';
import { readField } from './form-field.ts';
import { refuseTooLarge } from './request-body.ts';
import { contentTypeHint, discard, spoolRequest, type UploadSettings } from './upload.ts';
import { asBadRequest } from './upload-form.ts';
import { decodeUtf8, parseJson } from '../validation/json.ts';
import { problem, valueProblem, type Problem } from '../validation/problem.ts';

export interface RunFormSettings extends UploadSettings {
  maxFiles: number;
  maxBlockBytes: number;
  blockNames: readonly string[];
}

export interface RunForm {
  uploads: Upload[];
  /** Blocks as they were sent; a block that is not JSON is left out and reported in `details`. */
  blocks: Record<string, unknown>;
  details: ErrorDetail[];
  /** Whether `details` reports a file that was refused. */
  refusedFile: boolean;
}

/** Receives the form; the caller discards the uploads. */
export async function receiveRunForm(request: FastifyRequest, settings: RunFormSettings): Promise<RunForm> {
  const form: RunForm = { uploads: [], blocks: {}, details: [], refusedFile: false };
  const parts = settings.maxFiles + settings.blockNames.length + 1;
  // Every part is read as a stream: the library would parse JSON fields itself and hide their faults.
  const options = {
    isPartAFile: () => true,
    throwFileSizeLimit: false,
    limits: { parts, files: parts, fileSize: Math.max(settings.maxFileBytes, settings.maxBlockBytes) + 1 },
  };
  try {
    checkBoundary(request);
    for await (const part of request.parts(options)) {
      if (part.type !== 'file') continue;
      if (settings.blockNames.includes(part.fieldname)) await readBlock(request, part, form, settings);
      else await readFile(request, part, form, settings);
    }
    return form;
  } catch (error) {
    await Promise.all(form.uploads.map(discard));
    // The rest of the body is drained, so that the client reads the answer.
    request.raw.unpipe();
    request.raw.resume();
    throw asBadRequest(error, parts);
  }
}

async function readBlock(
  request: FastifyRequest,
  part: MultipartFile,
  form: RunForm,
  { maxBlockBytes, traffic }: RunFormSettings,
): Promise<void> {
  const name = part.fieldname;
  const bytes = await readField(request, part, maxBlockBytes, traffic);
  if (name in form.blocks) {
    form.details.push({ loc: ['body', name], ...valueProblem('the block was sent twice').problem });
    return;
  }
  const text = decodeUtf8(bytes);
  const bare = name === 'parserId' && !/^\s*(?:"|null\s*$)/.test(text);
  const parsed = bare ? { value: text.trim() } : parseJson(text, ['body', name]);
  if ('value' in parsed) form.blocks[name] = parsed.value;
  else form.details.push(...parsed.details);
}

async function readFile(
  request: FastifyRequest,
  part: MultipartFile,
  form: RunForm,
  settings: RunFormSettings,
): Promise<void> {
  const given: string | undefined = part.filename;
  const refuse = (found: Problem, isFile = true): void => {
    form.details.push({ loc: ['body', part.fieldname], ...found });
    form.refusedFile ||= isFile;
    part.file.resume();
  };
  if (given === undefined) {
    const isFile = part.fieldname === 'files' || part.fieldname === 'file';
    refuse(
      isFile
        ? valueProblem("Expected UploadFile, received: <class 'str'>").problem
        : problem('extra_forbidden', 'Extra inputs are not permitted').problem,
      isFile,
    );
    return;
  }
  const limit = settings.maxFiles;
  if (form.uploads.length >= limit) {
    const msg = `A run takes ${limit} files at most`;
    throw new ApiError(413, [{ loc: ['body', 'files'], msg, type: 'too_many_files', ctx: { limit } }]);
  }
  const name = parseFileName(given);
  if ('problem' in name) {
    refuse(name.problem);
    return;
  }
  const spooled = await spoolRequest(request, part.file, settings);
  form.uploads.push({ ...spooled, name: name.value, contentType: contentTypeHint(part.mimetype) });
  if (part.file.truncated) throw await refuseTooLarge(request.raw, 'file_too_large', settings.maxFileBytes);
}
