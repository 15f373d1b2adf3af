-- What a parser could not read of a document: [{ type, message, pages }].
alter table documents add column warnings jsonb not null default '[]';

-- Lists of documents with warnings.
create index documents_with_warnings on documents (collection_id, id) where warnings <> '[]'::jsonb;
