/** Called with the bytes sent so far, and the total if it is known. A repeated attempt begins again at 0. */
export type OnProgress = (progress: { sentBytes: number; totalBytes: number | undefined }) => void;
