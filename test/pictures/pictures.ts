/**
 * `npm run pictures`: makes the README's picture from the real output of a run. It shows the
 * summary as GitHub renders Markdown, in light and dark. Needs Chromium (Debian's package
 * `chromium`, or CHROMIUM with its path). Not part of `npm test`.
 * `npm run pictures -- all FOLDER`: the summaries that a test keeps, on a wide and on a narrow
 * screen. These are only for looking at.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { runAction } from '../support/action.ts';
import { AgentService, PR_LINK } from '../support/agent-service.ts';
import { GitHubService, onPush } from '../support/github-service.ts';
import { render } from '../support/markdown.ts';

const CHROMIUM = process.env['CHROMIUM'] ?? 'chromium';
const FOLDER = resolve(import.meta.dirname, '../../.github/pictures');
const ENDINGS = resolve(import.meta.dirname, '../unit/report/endings.md');
/** Narrow enough to be read on a phone, where a wider picture is shrunk. */
const WIDTH = 500;
const THEMES = {
  light: { back: '#ffffff', text: '#1f2328' },
  dark: { back: '#0d1117', text: '#f0f6fc' },
} as const;

type Theme = keyof typeof THEMES;

const css = (theme: Theme) =>
  readFileSync(
    createRequire(import.meta.url).resolve(`github-markdown-css/github-markdown-${theme}.css`),
    'utf8',
  );

function pageOf(theme: Theme, body: string, width: number): string {
  const { back, text } = THEMES[theme];
  return `<!doctype html><meta charset="utf-8"><style>${css(theme)}
    html { background: ${back}; }
    body { margin: 0; padding: 20px 24px; width: ${width - 48}px; color: ${text}; }
    </style>${body}<script>document.title = document.documentElement.scrollHeight</script>`;
}

const work = mkdtempSync(join(tmpdir(), 'docs-agent-job-pictures-'));
const OPTIONS = [
  ...['--headless', '--no-sandbox', '--disable-gpu', '--hide-scrollbars', '--no-first-run'],
  ...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
  `--user-data-dir=${join(work, 'profile')}`,
];
const chromium = (...args: string[]) =>
  execFileSync(CHROMIUM, [...OPTIONS, ...args], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });

function picture(name: string, body: string, theme: Theme, width: number): void {
  const file = join(work, `${name}.html`);
  writeFileSync(file, pageOf(theme, body, width));
  // Chromium's window is at least 500 wide, so a narrow page is measured as an element.
  const size = (height: string) => `--window-size=${Math.max(width, 500)},${height}`;
  const dom = chromium(size('200'), '--dump-dom', `file://${file}`);
  const height = /<title>(\d+)<\/title>/.exec(dom)?.[1] ?? '600';
  const out = join(target, `${name}.png`);
  const scale = '--force-device-scale-factor=1.5';
  chromium(size(height), scale, `--screenshot=${out}`, `file://${file}`);
  console.log(`${out} (${readFileSync(out).length} bytes)`);
}

function pictures(name: string, markdown: string, widths: readonly number[]): void {
  const html = `<article class="markdown-body">${render(markdown)}</article>`;
  for (const width of widths) {
    const end = width === WIDTH ? '' : `-${width}`;
    for (const theme of ['light', 'dark'] as const) {
      picture(`${name}-${theme}${end}`, html, theme, width);
    }
  }
}

const [BEFORE, HEAD] = [
  '5f1c0a9b3d7e42868b0f6a1d9c3e57f2a4b8d601',
  '9e2d47b1c06f4a3e8d5b7a90f1c2e3d4b5a69788',
];

/** The summary of a push that gets a pull request. */
async function realSummary(): Promise<string> {
  await using agent = await AgentService.start({
    idOf: () => '0f3c5a9e-7d41',
    projectId: 'acme-docs',
    schedule: [{ status: 'active' }, { afterReads: 2, status: 'completed', prLink: PR_LINK }],
  });
  const message = 'Add retries to the client (#41)';
  const files = [{ filename: 'src/client.ts', patch: '@@ -1 +1 @@\n-retries: 0\n+retries: 3' }];
  await using github = await GitHubService.start({
    commits: [
      { sha: BEFORE, parents: [] },
      { sha: HEAD, parents: [BEFORE], message, files },
    ],
    codePulls: [{ number: 41, title: 'Add retries to the client', commits: [HEAD] }],
    pullStates: {
      'acme/docs#123': {
        state: 'open',
        head: { sha: HEAD },
        title: 'Document the retries of the client',
        files: [
          { filename: 'guides/errors.mdx', additions: 4, deletions: 2 },
          { filename: 'reference/client.mdx', additions: 11, deletions: 0 },
        ],
      },
    },
  });
  const { event, env } = onPush(github.url, BEFORE, HEAD);
  const { summary } = await runAction({
    inputs: {
      prompt: 'Update the documentation for these changes.',
      changes: 'diff',
      projectId: 'acme-docs',
      baseUrl: agent.url,
      pollInterval: '1s',
    },
    event,
    env: { ...env, GITHUB_RUN_ID: '1', GITHUB_ACTION: 'docs' },
  });
  return summary;
}

/** Those of the golden text, with their names. */
const wholeSummaries = () => readFileSync(ENDINGS, 'utf8').replace(/^.*?(?=^# Summary: )/ms, '');

const [which, folder = FOLDER] = process.argv.slice(2);
const target = resolve(folder);
mkdirSync(target, { recursive: true });
if (which === 'all') pictures('summaries', wholeSummaries(), [1_000, 390]);
else pictures('pull-request', await realSummary(), [WIDTH]);
rmSync(work, { recursive: true, force: true });
