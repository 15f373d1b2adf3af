-- A chat belongs to the key that created it and, if a token did, to the token's subject: an end user of the key's
-- application. Both are null for a chat whose creator is not known, which only the root key then sees. The audit log
-- names the creators of earlier chats, as far as its entries are kept.
alter table chats add column key_id uuid;
alter table chats add column subject text;
create index on chats (workspace_id, key_id, subject, id);

update chats set key_id = entry.key_id, subject = entry.subject
from audit_entries entry
where entry.workspace_id = chats.workspace_id and entry.resource_id = chats.id::text
  and entry.resource_type = 'chat' and entry.action = 'createChat' and entry.outcome = 'done';

-- During a rolling upgrade, processes of the earlier version create chats without these columns. Their audit entry is
-- in the same transaction.
create function set_chat_creator() returns trigger language plpgsql as $$
begin
  update chats set key_id = new.key_id, subject = new.subject
  where id = new.resource_id::uuid and workspace_id = new.workspace_id and key_id is null;
  return null;
end $$;
create trigger audit_entries_set_chat_creator after insert on audit_entries
  for each row when (new.action = 'createChat' and new.outcome = 'done' and new.resource_type = 'chat')
  execute function set_chat_creator();

-- 'workspace': keys see the chats of all keys of the workspace. Tokens see their own in any case.
alter table workspaces add column chat_sharing text not null default 'private'
  check (chat_sharing in ('private', 'workspace'));
