// Loaded into the action by a test: Node's agents look as they did before 24.5, without proxies.
Object.defineProperty(process, 'allowedNodeEnvironmentFlags', { value: new Set() });
