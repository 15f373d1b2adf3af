-- Filters by range and by existence in collections of 100,000 documents.

-- What an index can tell about metadata: for each place (path with dots) that holds something its hash, and
--   that + 1 for a list, that + 2 for a text that does not begin with a date (2026-11-21),
--   for a number, or a text that does, the bucket that it falls into on four levels, of 1, 2^7, 2^14 and 2^21 steps.
-- A number's step is made of the first 28 bits of a double, in order; a date's is 2^28 and its digits.
-- Its cost keeps it from being called for each row: only the index is to call it.
create function metadata_terms(metadata jsonb) returns bigint[]
language plpgsql immutable strict parallel safe cost 100000 as $$
declare
  terms bigint[] := '{}';
  objects jsonb[] := array[metadata];
  names text[] := array[''];
  done integer := 1;
  key text;
  value jsonb;
  place bigint;
  written text;
  step bigint;
begin
  while done <= cardinality(objects) loop
    for key, value in select e.key, e.value from jsonb_each(objects[done]) as e loop
      place := hashtextextended(names[done] || key, 0);
      step := null;
      case jsonb_typeof(value)
        when 'null' then continue;
        when 'number' then
          step := ('x' || encode(float8send(value::float8), 'hex'))::bit(64)::bigint;
          step := case when step < 0 then 134217727 - ((step & 9223372036854775807) >> 36) else 134217728 + (step >> 36) end;
        when 'string' then
          written := left(value #>> '{}', 10);
          if written like '____-__-__' and written ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}$' then
            step := 268435456 + translate(written, '-', '')::bigint;
          else
            terms := terms || (place + 2);
          end if;
        when 'array' then terms := terms || (place + 1);
        when 'object' then
          objects := objects || value;
          names := names || (names[done] || key || '.');
        else null;
      end case;
      if step is null then
        terms := terms || place;
      else
        terms := terms || array[place, hashint8extended(step * 4, place), hashint8extended((step >> 7) * 4 + 1, place),
          hashint8extended((step >> 14) * 4 + 2, place), hashint8extended((step >> 21) * 4 + 3, place)];
      end if;
    end loop;
    done := done + 1;
  end loop;
  return terms;
end $$;

-- Terms of which metadata have at least one that hold a value of these steps at the place, or a list; others may have one too.
create function metadata_range_terms(path text, lowest bigint, highest bigint) returns bigint[]
language plpgsql immutable strict parallel safe as $$
declare
  place bigint := hashtextextended(path, 0);
  terms bigint[] := array[place + 1];
  low bigint := lowest;
  high bigint := highest;
begin
  if low >= 268435456 then
    terms := terms || (place + 2);
  end if;
  -- Where the range is wide its ends need not be exact, and half of the terms are spared.
  if low >> 14 <> high >> 14 then
    low := low & ~127::bigint;
    high := high | 127;
  end if;
  for level in 0..3 loop
    while low <= high and ((low & 127) <> 0 or level = 3) loop
      terms := terms || hashint8extended(low * 4 + level, place);
      low := low + 1;
    end loop;
    while low <= high and (high & 127) <> 127 loop
      terms := terms || hashint8extended(high * 4 + level, place);
      high := high - 1;
    end loop;
    exit when low > high;
    low := low >> 7;
    high := high >> 7;
  end loop;
  return terms;
end $$;

create index documents_by_metadata_terms on documents
  using gin (metadata_terms(metadata)) with (gin_pending_list_limit = 256)
  where searchable_revision is not null and deleted_at is null and metadata <> '{}';

-- ANALYZE would make the terms of 30,000 documents, some 2 s of work. What a filter matches is told by a sample of its own.
alter index documents_by_metadata_terms alter column 1 set statistics 0;
