// Loaded into the action by a test: what Node does when Windows' CTRL_BREAK arrives.
setTimeout(() => process.emit('SIGBREAK', 'SIGBREAK'), 1_500);
