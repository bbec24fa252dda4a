/** Warns as Node does. */
process.emitWarning('something is deprecated', 'DeprecationWarning');
