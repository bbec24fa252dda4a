import { InputErrors, readInputs } from '../../../src/inputs.ts';

export type Given = Readonly<Record<string, string>>;

const KEY = 'mint_0123456789';
const USABLE: Given = { prompt: 'x', projectId: 'acme', adminApiKey: KEY, githubToken: 'ghs_1' };

/** The environment that the runner makes of a step's inputs. */
export const environmentOf = (inputs: Given, workspace = '.') => ({
  GITHUB_WORKSPACE: workspace,
  ...Object.fromEntries(
    Object.entries(inputs).map(([name, value]) => [`INPUT_${name.toUpperCase()}`, value]),
  ),
});

/** Reads the inputs beside those that every step has. An empty one takes them away. */
export const read = (inputs: Given, workspace?: string) =>
  readInputs(environmentOf({ ...USABLE, ...inputs }, workspace));

export async function errorsOf(inputs: Given, workspace?: string): Promise<InputErrors> {
  const error = await read(inputs, workspace).catch((thrown: unknown) => thrown);
  if (error instanceof InputErrors) return error;
  throw new Error('The inputs are usable.', { cause: error });
}
