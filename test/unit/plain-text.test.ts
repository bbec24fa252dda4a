import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { plainText } from '../support/plain-text.ts';

const SUMMARY = `## ✅ Docs pull request ready · \`docs-project\`

<p><strong><a href="https://x.test/a?b=1&amp;c">acme/docs#1</a></strong></p>

To wait for it in another workflow, paste this step:

\`\`\`yaml
- uses: docs-agent/docs-agent-job@v1
  with:
    jobId: 'job_1'
\`\`\`

<p><a href="https://x.test">https://x.test</a></p>

<table>
<tr><th align="left">Agent job</th><td><code>job_1</code></td></tr>
<tr><th align="left">Docs repository</th><td><code>acme/<wbr>docs</code></td></tr>
</table>

<p>Left out of the prompt:</p>
<ul>
<li><code>a &lt;b&gt; &amp;amp; c</code></li>
<li>two</li>
</ul>`;

const PROMPT = `<summary>Prompt (9 characters)</summary>

<pre><span><code>One.

Two.</code></span></pre>

</details>`;

test('shows the summary of a run as text', () => {
  expect(plainText(`${SUMMARY}\n\n<details>${PROMPT}`).split('\n')).toEqual([
    '✅ Docs pull request ready · docs-project',
    '',
    'acme/docs#1 (https://x.test/a?b=1&c)',
    '',
    'To wait for it in another workflow, paste this step:',
    '',
    '    - uses: docs-agent/docs-agent-job@v1',
    '      with:',
    "        jobId: 'job_1'",
    '',
    'https://x.test',
    '',
    'Agent job        job_1',
    'Docs repository  acme/docs',
    '',
    'Left out of the prompt:',
    '',
    '- a <b> &amp; c',
    '- two',
    '',
    '▸ Prompt (9 characters), folded',
  ]);
});

test('shows the prompt of a dry run', () => {
  const lines = plainText(`<details open>${PROMPT}`).split('\n');
  expect(lines).toEqual(['▾ Prompt (9 characters)', '', '    One.', '', '    Two.']);
});

test('leaves no element in any summary of a run', () => {
  const all = readFileSync(join(import.meta.dirname, 'report/endings.md'), 'utf8');
  expect(all).toContain('<table>');
  const elements = 'a|code|details|h2|li|p|pre|span|strong|summary|table|td|th|tr|ul|wbr';
  expect(plainText(all)).not.toMatch(new RegExp(`</?(?:${elements})\\b`));
});
