import { render } from './markdown.ts';

/**
 * Renders a run's summary as a person reads it in a terminal: links as `text (address)`, tables as
 * aligned lines, code indented. Folded parts are only named.
 */
export function plainText(summary: string): string {
  return render(summary)
    .replace(/<details>\s*<summary>(.*?)<\/summary>.*?<\/details>/gs, '<p>▸ $1, folded</p>')
    .replace(/<summary>(.*?)<\/summary>/gs, '<p>▾ $1</p>')
    .replace(/<table>(.*?)<\/table>/gs, (_, rows: string) => `<p>${aligned(rows)}</p>`)
    .replace(/<pre>(.*?)<\/pre>/gs, (_, code: string) => `${indented(code)}</pre>`)
    .replace(/<a href="([^"]*)">(.*?)<\/a>/gs, (_, address: string, text: string) =>
      text === address ? text : `${text} (${address})`,
    )
    .replace(/<li>/g, '- ')
    .replace(/<\/(?:h\d|p|pre|ul)>/g, '\n')
    .replace(/<[^>]*>/g, '')
    .replace(/&(#39|\w+);/g, (all, name: string) => CHARACTERS.get(name) ?? all)
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

const indented = (code: string) =>
  code
    .replace(/<[^>]*>/g, '')
    .trimEnd()
    .replace(/^(?=.)/gm, '    ');

/** Aligns the rows of a table with two columns. */
function aligned(rows: string): string {
  const cells = [...rows.matchAll(/<th[^>]*>(.*?)<\/th>\s*<td>(.*?)<\/td>/gs)];
  const width = Math.max(0, ...cells.map(([, name = '']) => name.length));
  return cells.map(([, name = '', value]) => `${name.padEnd(width)}  ${value}`).join('\n');
}

const CHARACTERS: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['#39', "'"],
]);
