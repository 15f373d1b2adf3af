import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { CopyButton } from '../../components/controls/copy.tsx';
import { ErrorBox } from '../../components/states/error-box.tsx';
import { Skeleton } from '../../components/page.tsx';
import { useWorkspace } from '../../data/workspace.ts';

const api = getRouteApi('/w/$ws/collections/$col/documents/$doc');

/** The Markdown that the service made of the document, as text. */
export function MarkdownPane(): React.ReactElement {
  const { id: ws, quire } = useWorkspace();
  const { col, doc } = api.useParams();
  const { data, error, refetch } = useQuery({
    queryKey: [ws, 'markdown', doc],
    queryFn: ({ signal }) => quire.collection(col).documents.markdown(doc, { signal }),
  });
  if (error !== null) return <ErrorBox error={error} onRetry={() => void refetch()} className="m-3" />;
  if (data === undefined) return <div className="p-4">{<Skeleton />}</div>;
  return (
    <div className="relative">
      <div className="absolute top-1 right-1">
        <CopyButton text={data} label="Copy the Markdown" />
      </div>
      <pre className="p-3 pr-10 font-mono text-sm whitespace-pre-wrap">{data}</pre>
    </div>
  );
}
