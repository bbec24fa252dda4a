// Loaded into the action by a test: emits SIGBREAK, as Node does for CTRL_BREAK on Windows.
process.emit('SIGBREAK', 'SIGBREAK');
