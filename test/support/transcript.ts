import { anchorOf } from '../../src/report/wording.ts';
import type { ActionResult } from './action.ts';
import type { AgentService } from './agent-service.ts';

/** What people see of a run, without the parts that differ from run to run. */
export function transcript(
  result: ActionResult,
  service: AgentService,
  github: readonly string[] = [],
): string {
  const outputs = Object.entries(result.outputs).map(([name, value]) => `${name}=${value}`);
  const text = [
    `exit code ${result.exitCode}`,
    section('Log', result.stdout.trimEnd()),
    section('Requests', [...github.map(toGitHub), ...service.transcript].join('\n')),
    section('Outputs', outputs.join('\n')),
    section('Summary', result.summary.trimEnd()),
  ].join('\n');
  return `${withoutHeading(text, headingIn(result.summary))
    .replaceAll('\r\n', '\n')
    .replaceAll(`:${service.port}`, ':PORT')
    .replace(/\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z/g, 'TIME')
    .replace(/\d{4}-\d{2}-\d{2} \d{2}:\d{2}(:\d{2})? UTC/g, 'TIME UTC')
    .replace(/ghadelimiter_[0-9a-f-]{36}/g, 'DELIMITER')
    .replace(/ at=\d+/g, ' at=TIME')
    .replace(/changes-[0-9a-f]{24}/g, 'changes-FENCE')
    .replace(/\b\d+ (s|checks?|reads?|failures?)\b/g, 'N $1')}\n`;
}

const headingIn = (summary: string) => /^## \S+ (.+?)(?: · .*)?$/m.exec(summary)?.[1] ?? '';

/** Without the heading of the ending, which the golden texts of the unit tests hold. */
function withoutHeading(text: string, heading: string): string {
  if (heading === '') return text;
  const inCommand = heading.replaceAll(':', '%3A').replaceAll(',', '%2C');
  return text
    .replaceAll(`Docs agent%3A ${inCommand}::`, 'Docs agent%3A HEADING::')
    .replaceAll(`TROUBLESHOOTING.md#${anchorOf(heading)}`, 'TROUBLESHOOTING.md#HEADING')
    .replace(heading, 'HEADING');
}

const toGitHub = (path: string) => `GitHub: ${path}`;

const section = (title: string, text: string) => `\n=== ${title} ===\n${text}`;
