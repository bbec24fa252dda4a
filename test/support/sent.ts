import type { Ended, World } from './action.ts';

/** The commits that each prompt lists, by the words after "Add". */
export const sent = ({ mintlify }: World): readonly string[] =>
  mintlify.prompts.map((prompt) =>
    [...prompt.matchAll(/^- [0-9a-f]+ Add (\w+)/gm)].map(([, name]) => name).join(' '),
  );

/** What the annotations of a level say, on one line. */
export const said = ({ annotations }: Ended, level: 'notice' | 'warning' | 'error'): string =>
  annotations(level).join(' ');

/** A commit that changes one file. */
export const adding = (name: string) => ({
  files: { [`src/${name}.ts`]: `export const ${name} = 1;\n` },
  message: `Add ${name}`,
});

export const FAILING = [{ status: 'active' }, { afterReads: 1, status: 'failed' }];
