import { useEffect } from 'react';
import { ErrorBox } from './states/error-box.tsx';
import type { IconName } from './icon.tsx';
import { Icon } from './icon.tsx';

interface PageProps {
  title: string;
  /** Links to the levels above. */
  above?: React.ReactNode;
  /** Buttons beside the title. */
  actions?: React.ReactNode;
  /** Whether the content fills the window and scrolls by itself. */
  isFull?: boolean;
  children: React.ReactNode;
}

/** A screen: its title, also in the browser's tab, its actions and its content. */
export function Page({ title, above, actions, isFull = false, children }: PageProps): React.ReactElement {
  useEffect(() => {
    document.title = `${title} · Quire`;
  }, [title]);
  return (
    <div className={isFull ? 'flex h-full min-h-[34rem] flex-col' : 'mx-auto max-w-6xl pb-16'}>
      <header className="flex flex-wrap items-end gap-x-4 gap-y-2 px-4 pt-4 pb-3 md:px-6">
        <div className="min-w-0 flex-[1_1_14rem]">
          {above !== undefined && <div className="text-sm text-muted">{above}</div>}
          <h1 className="font-display text-[1.45rem] leading-tight">{title}</h1>
        </div>
        {actions !== undefined && <div className="flex flex-wrap gap-2">{actions}</div>}
      </header>
      {isFull ? children : <div className="px-4 md:px-6">{children}</div>}
    </div>
  );
}

/** A screen whose record cannot be shown. */
export const PageError = ({ error, onRetry }: { error: unknown; onRetry: () => void }): React.ReactElement => (
  <Page title="This cannot be shown">
    <ErrorBox error={error} onRetry={onRetry} />
  </Page>
);

interface EmptyProps {
  icon: IconName;
  title: string;
  children?: React.ReactNode;
  /** The one next action. */
  action?: React.ReactNode;
  /** Whether the title is that of the whole page. */
  isPage?: boolean;
}

/** Content of a screen that has no records yet. */
export const Empty = ({ icon, title, children, action, isPage = false }: EmptyProps): React.ReactElement => (
  <div className="mx-auto flex max-w-md flex-col items-center px-4 py-14 text-center">
    <span className="grid size-12 place-items-center rounded-full bg-accent-soft text-accent">
      <Icon name={icon} className="size-6" />
    </span>
    {isPage ? (
      <h1 className="mt-4 font-display text-lg">{title}</h1>
    ) : (
      <h2 className="mt-4 font-display text-lg">{title}</h2>
    )}
    {children !== undefined && <div className="mt-1 text-muted">{children}</div>}
    {action !== undefined && <div className="mt-5">{action}</div>}
  </div>
);

/** Bars in place of rows that are loading; they appear after 150 ms. */
export const Skeleton = ({ rows = 6 }: { rows?: number }): React.ReactElement => (
  <div role="status" aria-label="Loading" className="space-y-2.5 py-2">
    {Array.from({ length: rows }, (_, index) => (
      <div key={index} className="skeleton h-6" style={{ width: `${92 - ((index * 17) % 40)}%` }} />
    ))}
  </div>
);
