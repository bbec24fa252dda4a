/** The commands of the release workflow, run in bash with a fake `gh`. */
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { commandsOf, runStep } from './workflow.ts';

const CHECKED = 'c0ffee0000000000000000000000000000000000';
const OTHER = 'badc0de000000000000000000000000000000000';

interface State {
  immutable: boolean;
  refs: Record<string, string>;
  releases: Record<string, { draft: boolean; immutable: boolean }>;
  calls: string[];
  /** Calls that fail with HTTP 502. */
  fails: string[];
  /** Somebody else moves a ref after a call. */
  moves: [after: string, ref: string, sha: string][];
}

const FRESH: State = {
  immutable: true,
  refs: { 'refs/heads/main': CHECKED },
  releases: {},
  calls: [],
  fails: [],
  moves: [],
};

const RELEASED: Pick<State, 'refs' | 'releases'> = {
  refs: { 'refs/heads/main': CHECKED, 'refs/tags/v1.2.3': CHECKED, 'refs/tags/v1': CHECKED },
  releases: { 'v1.2.3': { draft: false, immutable: true } },
};

/** Runs the steps of the workflow job that writes, up to the first that fails. */
async function release(given: Partial<State>): Promise<State & { exitCode: number; log: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'release-'));
  try {
    const file = join(folder, 'state.json');
    writeFileSync(file, JSON.stringify({ ...FRESH, ...given, calls: [] }));
    const bin = join(folder, 'bin');
    mkdirSync(bin);
    copyFileSync(join(import.meta.dirname, 'fake-gh.cjs'), join(bin, 'gh'));
    chmodSync(join(bin, 'gh'), 0o755);
    let log = '';
    let exitCode = 0;
    for (const step of commandsOf('release.yml', 'release')) {
      const result = await runStep(step, {
        cwd: folder,
        env: {
          PATH: [bin, dirname(process.execPath), process.env['PATH']].join(delimiter),
          FAKE_GH_STATE: file,
          GITHUB_REPOSITORY: 'acme/app',
          GITHUB_SHA: CHECKED,
        },
        expressions: {
          'inputs.version': 'v1.2.3',
          'github.token': 'ghs_can_write',
          'secrets.RELEASE_SETTINGS_TOKEN': 'github_pat_settings',
        },
      });
      log += result.output;
      exitCode = result.exitCode;
      if (exitCode !== 0) break;
    }
    return { ...JSON.parse(readFileSync(file, 'utf8')), exitCode, log };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const writes = ({ calls }: State) =>
  calls.filter((call) => /^api P|^release (?:create|edit)/.test(call));

// Workflows run on ubuntu-latest, and so do these.
describe.skipIf(process.platform !== 'linux')('the release', () => {
  test('creates the tag, then the release, and moves the major tag last', async () => {
    const end = await release({});
    expect(end).toMatchObject({ exitCode: 0, ...RELEASED });
    expect(writes(end)).toEqual([
      'api POST repos/acme/app/git/refs',
      'release create v1.2.3',
      'release edit v1.2.3',
      'api PATCH repos/acme/app/git/refs/tags/v1',
      'api POST repos/acme/app/git/refs',
    ]);
  });

  test('moves a major tag that already exists', async () => {
    const end = await release({ refs: { ...FRESH.refs, 'refs/tags/v1': OTHER } });
    expect(end).toMatchObject({ exitCode: 0, ...RELEASED });
  });

  test('does nothing when releases are not immutable', async () => {
    const end = await release({ immutable: false });
    expect(end.exitCode).toBe(1);
    expect(end.log).toContain('Releases are not known to be immutable. Turn on Settings');
    expect(writes(end)).toEqual([]);
  });

  test('does not release a tag that is on another commit', async () => {
    const end = await release({ refs: { ...FRESH.refs, 'refs/tags/v1.2.3': OTHER } });
    expect(end.exitCode).toBe(1);
    expect(end.log).toContain(`The tag v1.2.3 is on ${OTHER}, and this run checked ${CHECKED}.`);
    expect(end).toMatchObject({ refs: { 'refs/tags/v1.2.3': OTHER }, releases: {} });
  });

  test('publishes nothing when the tag is moved while it runs', async () => {
    const end = await release({ moves: [['release create', 'refs/tags/v1.2.3', OTHER]] });
    expect(end.exitCode).toBe(1);
    expect(end.log).toContain(`The tag v1.2.3 was moved to ${OTHER} while this ran.`);
    expect(end.releases).toEqual({ 'v1.2.3': { draft: true, immutable: false } });
    expect(end.refs).not.toHaveProperty('refs/tags/v1');
  });

  test('fails when what it published is not immutable', async () => {
    const end = await release({
      ...RELEASED,
      releases: { 'v1.2.3': { draft: false, immutable: false } },
    });
    expect(end.exitCode).toBe(1);
    expect(end.log).toContain('The release v1.2.3 is published, and is not immutable.');
  });

  test('says how to move the major tag when moving it fails', async () => {
    const end = await release({ ...RELEASED, fails: ['tags/v1 ', 'POST', 'PATCH'] });
    expect(end.exitCode).toBe(1);
    expect(end.log).toContain(`git push --force origin ${CHECKED}:refs/tags/v1`);
  });

  test.each([
    'api POST repos/acme/app/git/refs',
    'release create',
    'release edit',
    'api PATCH repos/acme/app/git/refs/tags/v1',
  ])('has the same result when it is run again after %s failed', async (call) => {
    const first = await release({ fails: [call] });
    const { refs, releases } = first;
    const again = await release({ refs, releases });
    expect(again).toMatchObject({ exitCode: 0, ...RELEASED });
  });

  test('changes nothing when it is run again after it succeeded', async () => {
    expect(await release(RELEASED)).toMatchObject({ exitCode: 0, ...RELEASED });
  });
});
