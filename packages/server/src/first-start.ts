/** Steps of the first start on a database: the root key, and a workspace with a sample collection to try. */
import { createHash } from 'node:crypto';
import { copyFile, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import type { CollectionService } from './domain/collections/service.ts';
import type { DocumentService } from './domain/documents/service.ts';
import type { KeyService } from './domain/keys/service.ts';
import type { WorkspaceService } from './domain/workspaces/service.ts';
import { findGuideFolder } from './guide-folder.ts';

export interface FirstStart {
  /** Shown once; not stored. Null on later starts. */
  rootKey: string | null;
  sample: { workspaceId: string; collectionId: string; key: string } | null;
}

export interface FirstStartDeps {
  keys: KeyService;
  workspaces: WorkspaceService;
  collections: CollectionService;
  documents: DocumentService;
}

/** Creates what is missing; on every later start both fields are null. */
export async function firstStart(
  deps: FirstStartDeps,
  options: { rootKey: string | null; sample: boolean; spoolDir: string },
): Promise<FirstStart> {
  const fresh = (await deps.workspaces.list({ limit: 1 })).total === 0;
  const rootKey = await deps.keys.ensureRootKey(options.rootKey);
  const wanted = options.sample && fresh && (rootKey !== null || options.rootKey !== null);
  return { rootKey, sample: wanted ? await createSample(deps, options.spoolDir) : null };
}

async function createSample(deps: FirstStartDeps, spoolDir: string): Promise<NonNullable<FirstStart['sample']>> {
  const guide = findGuideFolder();
  const workspace = await deps.workspaces.create('My workspace');
  const root = { keyId: '', permission: 'root', workspaceId: null, collectionIds: null } as const;
  const { key } = await deps.keys.create(workspace.id, root, { name: 'First key', permission: 'admin' });
  const { record } = await deps.collections.create(workspace.id, {
    name: 'Quire guide',
    description: "Quire's own documentation, to try a search with",
  });
  const spool = await mkdtemp(path.join(spoolDir, 'sample-'));
  try {
    for (const source of guide === undefined ? [] : await markdownFiles(guide)) {
      const name = path.basename(source);
      const file = path.join(spool, name);
      await copyFile(source, file);
      const bytes = await readFile(file);
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      const upload = { path: file, name, contentType: 'text/markdown', sizeBytes: bytes.length, sha256 };
      await deps.documents.create(workspace.id, record.id, { upload, duplicates: 'allow' });
    }
  } finally {
    await rm(spool, { recursive: true, force: true });
  }
  return { workspaceId: workspace.id, collectionId: record.id, key };
}

async function markdownFiles(folder: string): Promise<string[]> {
  const names = await readdir(folder);
  return names.filter((name) => name.endsWith('.md')).map((name) => path.join(folder, name));
}
