-- Scoped tokens are signed with a secret derived from their key. It is encrypted, as a database that leaks must not
-- allow signing. Null until a key made by an earlier version is used for the first time.
alter table api_keys add column token_secret text;

-- A chat that was made with a filtered token: the filter holds for every retrieval, and only tokens with
-- the same filter and subject see the chat (`scope_id` is a hash of both).
alter table chats add column scope_filter jsonb;
alter table chats add column scope_id text;

-- Documents that an answer of such a chat is based on, with those of the answers before it. A message is hidden from
-- filtered tokens once one of them has left the filter.
alter table chat_messages add column retrieved uuid[];
