/** The text of a document without pages, drawn from its blocks; blocks and chunks are selected as on pages. */
import type { Block } from '@quire/client';
import { useEffect, useMemo, useRef } from 'react';
import { childrenOf } from './blocks.ts';
import type { Selection } from './document-screen.tsx';

const blockAt = ({ target }: React.MouseEvent): string | undefined =>
  (target instanceof Element ? target.closest('[data-block]')?.getAttribute('data-block') : null) ?? undefined;

export function BlockText({ tree, selection }: { tree: readonly Block[]; selection: Selection }): React.ReactElement {
  const element = useRef<HTMLDivElement>(null);
  const { block, chunk, hovered, hover, choose } = selection;
  const target = block ?? chunk?.blockIds[0];
  useEffect(() => {
    find(element.current, target)?.scrollIntoView({ block: 'center' });
  }, [target]);
  useEffect(() => {
    // Set here, because a long text is not drawn again for each block under the pointer.
    const found = find(element.current, hovered);
    found?.setAttribute('data-hovered', '');
    return () => found?.removeAttribute('data-hovered');
  }, [hovered]);
  const text = useMemo(() => {
    const marked = new Set(chunk?.blockIds);
    return tree.map((each) => <BlockElement key={each.id} block={each} marked={marked} chosen={block} />);
  }, [tree, chunk, block]);
  return (
    // The chunks at the right lead to the same blocks by keyboard.
    <div
      ref={element}
      onClick={(event) => {
        const id = blockAt(event);
        if (id !== undefined) choose({ block: id });
      }}
      onMouseOver={(event) => hover(blockAt(event))}
      onMouseLeave={() => hover(undefined)}
      className="h-full overflow-auto p-4 md:p-8"
      tabIndex={0}
      role="region"
      aria-label="Text"
    >
      <article className="card mx-auto max-w-3xl space-y-3 px-6 py-6 leading-relaxed">{text}</article>
    </div>
  );
}

const find = (within: HTMLElement | null, block: string | undefined): Element | null | undefined =>
  block === undefined ? null : within?.querySelector(`[data-block="${CSS.escape(block)}"]`);

interface BlockProps {
  block: Block;
  marked: ReadonlySet<string>;
  chosen: string | undefined;
}

const HEADINGS = ['text-xl', 'text-lg', 'text-base'] as const;

function BlockElement({ block, marked, chosen }: BlockProps): React.ReactElement {
  const { id, type, text = '', level = 1, rows } = block;
  const children = childrenOf(block).map((child) => (
    <BlockElement key={child.id} block={child} marked={marked} chosen={chosen} />
  ));
  const look = `rounded-sm data-hovered:bg-hover ${marked.has(id) ? 'bg-mark/60' : ''} ${chosen === id ? 'outline-2 outline-accent' : ''}`;
  const common = { 'data-block': id, className: look };
  if (type === 'section') return <section className="space-y-3">{children}</section>;
  if (type === 'heading')
    return (
      // The levels of the document are below the title of the page.
      <h2 {...common} className={`${look} font-display ${HEADINGS[Math.min(level, 3) - 1] ?? 'text-base'}`}>
        {text}
      </h2>
    );
  if (type === 'list') {
    const List = block.ordered === true ? 'ol' : 'ul';
    return (
      <List className={`ml-6 space-y-1 ${block.ordered === true ? 'list-decimal' : 'list-disc'}`}>{children}</List>
    );
  }
  if (type === 'listItem')
    return (
      <li {...common}>
        {text}
        {children}
      </li>
    );
  if (type === 'table') return <TableBlock rows={rows ?? []} {...common} />;
  if (type === 'code')
    return (
      <pre {...common} className={`${look} overflow-x-auto bg-sunken p-3 font-mono text-sm`}>
        {text}
      </pre>
    );
  if (type === 'quote')
    return (
      <blockquote {...common} className={`${look} border-l-4 border-line pl-4 text-muted`}>
        {text}
        {children}
      </blockquote>
    );
  return (
    <div {...common}>
      {text !== '' && <p className="whitespace-pre-line">{text}</p>}
      {children}
    </div>
  );
}

function TableBlock({
  rows,
  ...rest
}: {
  rows: NonNullable<Block['rows']>;
  className: string;
  'data-block': string;
}): React.ReactElement {
  return (
    <div className="overflow-x-auto">
      <table {...rest} className={`${rest.className} border-collapse text-sm`}>
        <tbody>
          {rows.map((row, index) => (
            <tr key={index}>
              {row.map(({ text, rowSpan, colSpan, header }, column) => {
                const Cell = header ? 'th' : 'td';
                return (
                  <Cell
                    key={column}
                    rowSpan={rowSpan}
                    colSpan={colSpan}
                    className="border border-line px-2 py-1 text-left align-top"
                  >
                    {text}
                  </Cell>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
