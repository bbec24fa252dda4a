// Loaded into the action by a test: what Node does when Windows' CTRL_BREAK arrives.
process.emit('SIGBREAK', 'SIGBREAK');
