/** Descriptions of the fields of workspaces and API keys. */
import { field, type FieldDescription, ID, TIME } from './field.ts';

export const WORKSPACE_AND_KEY_FIELDS: Record<string, FieldDescription> = {
  permission: field('What the key may do; each includes the one before.'),
  collectionIds: field('Collections that the key or the search is limited to; without it, all.', [ID]),
  expiresAt: field('Time after which the record no longer works or exists; null for never.', TIME),
  keyId: field('Identifier of the key in use.', ID),
  expiresInSeconds: field('Lifetime of the links in seconds.', 600),
  'Workspace.name': field('Name of the workspace.', 'Contracts'),
  chatSharing: field(
    'Who sees a chat: `private` the key that created it, `workspace` every key of the workspace that reaches its ' +
      'collection. Tokens see only the chats of their own key and `sub` in both cases.',
    'private',
  ),
  'Key.name': field('Name of the key.', 'Web application'),
  'NewKey.name': field('Name of the key.', 'Web application'),
  'CreateKeyRequest.name': field('Name of the key.', 'Web application'),
  'Principal.token': field('The scoped token in use; absent for a key.', {
    subject: 'ada@example.com',
    expiresAt: TIME,
    filter: { 'metadata.team': 'legal' },
  }),
  subject: field('Claim `sub` of the scoped token, an end user for instance; null without one.', 'ada@example.com'),
  hint: field('Last characters of the key.', 'wxyz'),
  key: field('The key itself.', 'quire_3kJ9c1dXq7'),
};
