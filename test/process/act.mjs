// Loaded into the action by tests: does on SIGUSR2 what no test can do from outside.
const ACTS = {
  throw: () => {
    throw new Error('a fault of our own\n::error::forged');
  },
  // Node's name for CTRL_BREAK on Windows, after a warning
  sigbreak: () => {
    process.emitWarning('something is deprecated', 'DeprecationWarning');
    process.emit('SIGBREAK', 'SIGBREAK');
  },
};
process.on('SIGUSR2', () => setImmediate(ACTS[process.env.TEST_ACT]));
