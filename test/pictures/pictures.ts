/**
 * `npm run pictures`: the pictures of the README, made from the real output of a run: the summary as
 * GitHub renders Markdown, and the log, each in light and dark. Needs Chromium (Debian's package
 * `chromium`, or CHROMIUM with its path). Not part of `npm test`.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { escapeHtml } from '../../src/text.ts';
import { type ActionResult, runAction } from '../support/action.ts';
import { AgentService, PR_LINK } from '../support/agent-service.ts';
import { render } from '../support/markdown.ts';
import { commandIn, linesOf } from '../support/runner-rules.ts';

const CHROMIUM = process.env['CHROMIUM'] ?? 'chromium';
const FOLDER = resolve(import.meta.dirname, '../../.github/pictures');
const WIDTH = 760;
const THEMES = {
  light: { back: '#ffffff', text: '#1f2328', faint: '#59636e', link: '#0969da', box: '#f6f8fa' },
  dark: { back: '#0d1117', text: '#f0f6fc', faint: '#9198a1', link: '#4493f8', box: '#151b23' },
} as const;

type Theme = keyof typeof THEMES;

const css = (theme: Theme) =>
  readFileSync(
    createRequire(import.meta.url).resolve(`github-markdown-css/github-markdown-${theme}.css`),
    'utf8',
  );

function pageOf(theme: Theme, body: string): string {
  const { back, text, faint, link, box } = THEMES[theme];
  return `<!doctype html><meta charset="utf-8"><style>${css(theme)}
    html { background: ${back}; }
    body { margin: 0; padding: 20px 24px; width: ${WIDTH - 48}px; color: ${text}; }
    .log { font: 13px/1.7 ui-monospace, "Liberation Mono", monospace; background: ${box}; border-radius: 6px; padding: 12px 16px; }
    .log div { display: flex; gap: 14px; } .log i { color: ${faint}; font-style: normal; min-width: 18px; text-align: right; }
    .log span { overflow-wrap: anywhere; } .log b { color: ${link}; font-weight: 600; }
    </style>${body}<script>document.title = document.documentElement.scrollHeight</script>`;
}

/** The log as GitHub shows it: masks are not shown, annotations by their level. */
function logHtml({ stdout }: ActionResult): string {
  const lines = linesOf(stdout)
    .map((line) => ({ line, command: commandIn(line) }))
    .filter(({ command }) => command?.name !== 'add-mask')
    .map(({ line, command }) => {
      if (command === undefined) return escapeHtml(line);
      const level = command.name[0]?.toUpperCase() + command.name.slice(1);
      return `<b>${level}:</b> ${escapeHtml(command.data)}`;
    });
  const rows = lines.map((line, index) => `<div><i>${index + 1}</i><span>${line}</span></div>`);
  return `<div class="log">${rows.join('')}</div>`;
}

const work = mkdtempSync(join(tmpdir(), 'docs-agent-job-pictures-'));
const chromium = (...args: string[]) =>
  execFileSync(
    CHROMIUM,
    [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--hide-scrollbars',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      `--user-data-dir=${join(work, 'profile')}`,
      ...args,
    ],
    { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] },
  );

function picture(name: string, html: string): void {
  const file = join(work, `${name}.html`);
  writeFileSync(file, html);
  const dom = chromium(`--window-size=${WIDTH},200`, '--dump-dom', `file://${file}`);
  const height = /<title>(\d+)<\/title>/.exec(dom)?.[1] ?? '600';
  const out = join(FOLDER, `${name}.png`);
  chromium(
    `--window-size=${WIDTH},${height}`,
    '--force-device-scale-factor=1.5',
    `--screenshot=${out}`,
    `file://${file}`,
  );
  console.log(`${out} (${readFileSync(out).length} bytes)`);
}

await using service = await AgentService.start({
  schedule: [
    { afterMs: 0, status: 'active' },
    { afterMs: 3_500, status: 'completed', prLink: PR_LINK },
  ],
  idOf: () => '0f3c5a9e-7d41-4b1e-9d55-2b6f5c1a8e70',
  fields: { model: 'sonnet' },
});
const result = await runAction({
  inputs: {
    prompt:
      'Document the new retry option of the client: what it does, its default, and when to turn it off.',
    baseUrl: service.url,
    pollInterval: '1s',
  },
});
mkdirSync(FOLDER, { recursive: true });
for (const theme of ['light', 'dark'] as const) {
  picture(
    `summary-${theme}`,
    pageOf(theme, `<article class="markdown-body">${render(result.summary)}</article>`),
  );
  picture(`log-${theme}`, pageOf(theme, logHtml(result)));
}
rmSync(work, { recursive: true, force: true });
