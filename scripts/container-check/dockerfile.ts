/** Reads the instructions of a Dockerfile, as far as `deploy/Dockerfile` uses them. */
export interface Instruction {
  name: string;
  text: string;
}

export interface Stage {
  base: string;
  name: string;
  instructions: Instruction[];
}

const KNOWN: ReadonlySet<string> = new Set(
  'FROM WORKDIR COPY RUN ENV USER VOLUME EXPOSE STOPSIGNAL HEALTHCHECK ENTRYPOINT CMD'.split(' '),
);

/** Throws on an instruction that this program does not carry out. */
export function readDockerfile(source: string): Stage[] {
  const stages: Stage[] = [];
  for (const { name, text } of instructionsOf(source)) {
    if (!KNOWN.has(name)) throw new Error(`the instruction ${name} is not supported here`);
    if (name === 'FROM') {
      const [base = '', , stage = ''] = text.split(' ');
      stages.push({ base, name: stage, instructions: [] });
    } else stages.at(-1)?.instructions.push({ name, text });
  }
  return stages;
}

/** Joins continued lines; comment lines may be between them. */
function instructionsOf(source: string): Instruction[] {
  const lines = source.split('\n').filter((line) => !/^\s*#/.test(line));
  const joined = lines.join('\n').replaceAll(/\\\n\s*/g, '');
  return joined
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const at = line.indexOf(' ');
      return { name: line.slice(0, at), text: line.slice(at + 1).trim() };
    });
}

/** Returns the arguments of an instruction in its JSON form. */
export function jsonForm(text: string): string[] {
  return JSON.parse(text.slice(text.indexOf('['))) as string[];
}
