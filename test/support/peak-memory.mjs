// Loaded into the action by a test: reports its peak memory when it ends.
process.on('exit', () => {
  process.stdout.write(`peak memory ${process.resourceUsage().maxRSS} KiB\n`);
});
