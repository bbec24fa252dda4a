// Loaded into the action by a test: an error that no code of the action catches.
setImmediate(() => {
  throw new Error('a fault of our own\n::error::forged');
});
