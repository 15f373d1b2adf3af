import { spawnSync } from 'node:child_process';
import type { Finding } from './find.ts';

const SUBJECT_LENGTH = 72;
/** Subjects before this moment were written by other rules. */
const SINCE = '2026-11-22T10:30:00Z';

/** Checks the subjects of commits: `area: summary`, at most 72 characters. Each line is a hash, a space, a subject. */
export function checkSubjects(log: string): Finding[] {
  const found: Finding[] = [];
  for (const line of log.split('\n').filter(Boolean)) {
    const [hash = ''] = line.split(' ', 1);
    const subject = line.slice(hash.length + 1);
    const at = { file: `commit ${hash}`, line: 1 };
    if (subject.length > SUBJECT_LENGTH) {
      found.push({ ...at, words: `${subject.length} characters`, suggestion: `at most ${SUBJECT_LENGTH}` });
    }
    if (!/^[\w./-]+(?:, [\w./-]+)*: \S/.test(subject) && !subject.startsWith('Merge ')) {
      found.push({ ...at, words: subject, suggestion: '`area: imperative summary`' });
    }
  }
  return found;
}

/** Checks this clone's commits; finds nothing where there is no git history. */
export function checkHistory(root: string): Finding[] {
  const git = spawnSync('git', ['log', `--since=${SINCE}`, '--format=%h %s'], { cwd: root, encoding: 'utf8' });
  return git.status === 0 ? checkSubjects(git.stdout) : [];
}
