-- The position of each line of a chunk's text: seven integers per line (start, end, page, and the box x0, y0, x1, y1 in
-- hundred-thousandths of the page), in the order of the text. Null for chunks without positions, and for chunks ingested
-- before this column existed; their citations have the boxes of the whole chunk.
alter table chunks add column line_map int[];
