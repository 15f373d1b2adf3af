-- The title of a document's searchable content, and the reranker that searches of a collection use by default.
alter table documents add column title text;
alter table collections add column rerank jsonb;
