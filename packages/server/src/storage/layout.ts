/** Prefix of all objects that belong to records. */
export const ALL_WORKSPACES = 'workspaces/';

/** Keys of the object store. All objects of a workspace share a prefix, so erasing a workspace deletes a prefix. */
export const storageKeys = {
  workspace: (workspaceId: string): string => `workspaces/${workspaceId}/`,
  collection: (workspaceId: string, collectionId: string): string =>
    `workspaces/${workspaceId}/collections/${collectionId}/`,
  document: (workspaceId: string, collectionId: string, documentId: string): string =>
    `workspaces/${workspaceId}/collections/${collectionId}/documents/${documentId}/`,
  run: (workspaceId: string, runId: string): string => `workspaces/${workspaceId}/runs/${runId}/`,
  /** In one folder, so that a new run creates only one. */
  runInput: (run: RunPlace, fileId: string): string => `${storageKeys.run(run.workspace_id, run.id)}${fileId}`,
  runOutput: (run: RunPlace, key: string): string => `${storageKeys.run(run.workspace_id, run.id)}${key}`,
  content: (document: DocumentPlace, contentId: string): string =>
    `${storageKeys.document(document.workspace_id, document.collection_id, document.id)}${contentId}/`,
  original: (document: DocumentPlace, contentId: string): string =>
    `${storageKeys.content(document, contentId)}original`,
  tree: (document: DocumentPlace, contentId: string): string =>
    `${storageKeys.content(document, contentId)}tree.json.gz`,
  /** Pages that an external parser has read so far. */
  readPages: (document: DocumentPlace, contentId: string): string =>
    `${storageKeys.content(document, contentId)}read-pages/`,
  thumbnail: (document: DocumentPlace, contentId: string): string =>
    `${storageKeys.content(document, contentId)}thumbnail.webp`,
};

interface RunPlace {
  id: string;
  workspace_id: string;
}

interface DocumentPlace {
  id: string;
  workspace_id: string;
  collection_id: string;
}
