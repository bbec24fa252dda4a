/**
 * `npm run pictures`: makes the README's picture from the real summary of a run, as GitHub renders
 * Markdown, in light and dark. Needs Chromium (Debian's package `chromium`, or CHROMIUM with its
 * path). Not part of `npm test`.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { adding, World } from '../support/action.ts';
import { runBuiltAction } from '../support/built-action.ts';
import { render } from '../support/markdown.ts';
import { ACTIVE } from '../support/mintlify.ts';

const CHROMIUM = process.env['CHROMIUM'] ?? 'chromium';
/** Narrow enough to be read on a phone, where a wider picture is shrunk. */
const WIDTH = 560;
const THEMES = {
  light: { back: '#ffffff', text: '#1f2328' },
  dark: { back: '#0d1117', text: '#f0f6fc' },
} as const;

/** The summary of a push that gets a pull request. */
async function realSummary(): Promise<string> {
  await using world = await World.open({ projectId: 'acme-docs' });
  const { github, mintlify } = world;
  const link = github.openDocsPull();
  mintlify.script = [...ACTIVE, { afterReads: 2, status: 'completed', prLink: link }];
  const docsPull = github.docsPull(link);
  docsPull.title = 'Document the retries of the client';
  docsPull.files = [
    { filename: 'guides/errors.mdx', additions: 4, deletions: 2 },
    { filename: 'reference/client.mdx', additions: 11, deletions: 0 },
  ];
  github.open({ branch: 'retries', title: 'Add retries to the client' }, adding('retries'));
  const { summary } = await runBuiltAction({
    start: github.merge(1, 'squash'),
    inputs: {
      prompt: 'Update the documentation for these changes.',
      changes: 'diff',
      projectId: 'acme-docs',
      baseUrl: mintlify.url,
      pollInterval: '1s',
    },
  });
  return summary.replaceAll(github.url, 'https://github.com').replaceAll('job_1', '0f3c5a9e-7d41');
}

const work = mkdtempSync(join(tmpdir(), 'docs-agent-job-pictures-'));
const chromium = (...args: readonly string[]) =>
  execFileSync(
    CHROMIUM,
    [
      ...['--headless', '--no-sandbox', '--disable-gpu', '--hide-scrollbars', '--no-first-run'],
      ...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
      ...[`--user-data-dir=${join(work, 'profile')}`, ...args],
    ],
    { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] },
  );

const body = render(await realSummary());
for (const theme of ['light', 'dark'] as const) {
  const { back, text } = THEMES[theme];
  const css = readFileSync(`node_modules/github-markdown-css/github-markdown-${theme}.css`, 'utf8');
  const page = join(work, `${theme}.html`);
  writeFileSync(
    page,
    `<!doctype html><meta charset="utf-8"><style>${css}
    html { background: ${back}; }
    body { margin: 0; padding: 20px 24px; width: ${WIDTH - 48}px; color: ${text}; }
    </style><article class="markdown-body">${body}</article>
    <script>document.title = document.documentElement.scrollHeight</script>`,
  );
  const dom = chromium(`--window-size=${WIDTH},200`, '--dump-dom', `file://${page}`);
  const height = /<title>(\d+)<\/title>/.exec(dom)?.[1] ?? '600';
  const out = `.github/pictures/pull-request-${theme}.png`;
  const size = [`--window-size=${WIDTH},${height}`, '--force-device-scale-factor=1.5'];
  chromium(...size, `--screenshot=${out}`, `file://${page}`);
  console.log(`${out} (${readFileSync(out).length} bytes)`);
}
rmSync(work, { recursive: true, force: true });
