/** The fault of a field outside a `Form`, as `faultAt` returns it. */
export interface Fault {
  /** Id of the text. */
  id: string;
  fault: string | undefined;
}

/** Returns the attributes of the field. */
export const faultProps = ({
  id,
  fault,
}: Fault): { 'aria-invalid': boolean; 'aria-describedby': string | undefined } => ({
  'aria-invalid': fault !== undefined,
  'aria-describedby': fault === undefined ? undefined : id,
});

export const FaultText = ({ id, fault }: Fault): React.ReactNode =>
  fault !== undefined && (
    <p id={id} className="text-danger">
      {fault}
    </p>
  );
