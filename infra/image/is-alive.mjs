/** Exits with 0 if the container's process responds on its admin port. */
const port = process.env.ADMIN_PORT ?? '9100';
const response = await fetch(`http://127.0.0.1:${port}/health/live`, { signal: AbortSignal.timeout(10_000) });
process.exit(response.ok ? 0 : 1);
