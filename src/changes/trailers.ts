/**
 * Trailers such as `Signed-off-by: …` at the end of a commit message, by git's own rule.
 * https://git-scm.com/docs/git-interpret-trailers
 */

const GENERATED_BY_GIT = /^(?:Signed-off-by: |\(cherry picked from commit )/;
const TRAILER = /^([A-Za-z0-9-]+)[ \t]*:/;
const CONTINUATION = /^[ \t]/;

/**
 * The lines of a message without its trailers. Of what git calls a trailer, only names with a hyphen
 * are taken out. In a message, `feat: …` (the title of a merged pull request) and `Note: …` are
 * trailers to git, and so is `BREAKING-CHANGE: …`. They all say what changed, so they stay.
 */
export function withoutTrailers(lines: readonly string[]): readonly string[] {
  const start = trailersStart(lines);
  let isDropped = false;
  const kept = lines.filter((line, index) => {
    if (index < start) return true;
    // A trailer may go on in indented lines.
    if (!CONTINUATION.test(line)) {
      const name = TRAILER.exec(line)?.[1] ?? '';
      isDropped = name.includes('-') && name !== 'BREAKING-CHANGE';
    }
    return !isDropped;
  });
  const last = kept.findLastIndex((line) => !isBlank(line));
  return kept[last] === ABOVE_TRAILERS ? kept.slice(0, last) : kept;
}

/** GitHub writes it above the trailers of a squashed pull request. */
const ABOVE_TRAILERS = '-'.repeat(9);

const isBlank = (line: string) => /^[ \t]*$/.test(line);

/**
 * Where the block of trailers starts; after the last line when there is none. The block is the last
 * paragraph, but never the first one. It has only trailers, or one that git itself writes and at
 * least a quarter of trailers.
 */
function trailersStart(lines: readonly string[]): number {
  const titleEnd = lines.findIndex(isBlank);
  const lastIndex = lines.findLastIndex((line) => !isBlank(line) && !line.startsWith('#'));
  if (titleEnd === -1 || lastIndex < titleEnd) return lines.length;
  const start = lines.slice(0, lastIndex).findLastIndex(isBlank) + 1;
  let [trailers, others, isLastTrailer, isByGit] = [0, 0, false, false];
  for (const line of lines.slice(start, lastIndex + 1)) {
    if (CONTINUATION.test(line) && isLastTrailer) continue;
    const isGenerated = GENERATED_BY_GIT.test(line);
    isByGit ||= isGenerated;
    isLastTrailer = isGenerated || TRAILER.test(line);
    if (isLastTrailer) trailers += 1;
    else if (!line.startsWith('#')) others += 1;
  }
  const isBlock = isByGit ? trailers * 3 >= others : trailers > 0 && others === 0;
  return isBlock ? start : lines.length;
}
