// What `make runtime` puts beside the worker as python.js: Pyodide, from npm.

/** Makes Python with these options. */
export const loadPyodide: (options: Record<string, any>) => Promise<any>;
export const createPyodideModule: (settings: any) => Promise<any>;
