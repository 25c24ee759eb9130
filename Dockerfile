# One image for every role: `docker run paywatch` runs all of them in one process (`serve`). `api`, `watcher` and `webhook-worker` run one;
# anything else is a command of `paywatch`.
# The services are TypeScript that Node runs as it stands; bundles of them start sooner and need less memory. With tracing the sources run.

FROM node:26.10.0-bookworm-slim AS build
WORKDIR /build
COPY . .
# What is left is what runs: no test, no tool, no development stack, and none of their packages.
# What the lock names, and no install script of a package: ours is run by name.
RUN npm ci --ignore-scripts --no-audit --no-fund && npm run postinstall && node services/web/build/build.ts && node infra/dev/src/image/image-tree.ts /app

FROM node:26.10.0-bookworm-slim
ENV NODE_ENV=production ADMIN_HOST=0.0.0.0
WORKDIR /app
COPY --from=build --chown=root:root /app /app
# Nothing is written: run it with a read-only root file system.
USER 1000:1000
EXPOSE 8080 9100
STOPSIGNAL SIGTERM
ENTRYPOINT ["node", "infra/image/start.mjs"]
CMD ["serve"]
