import { AggregatorRegistry, collectDefaultMetrics, Registry } from 'prom-client';

export { Counter, Gauge, Histogram } from 'prom-client';
export type { Registry } from 'prom-client';

/** What the admin port serves at `/metrics`. */
export type MetricsSource = { readonly contentType: string; metrics(): Promise<string> };

/** Creates a registry with the default process metrics (CPU, memory, event-loop lag). */
export function createRegistry(service: string): Registry {
  const registry = createRoleRegistry(service);
  collectDefaultMetrics({ register: registry });
  return registry;
}

/** Creates a registry for one of several roles of a process, without the metrics of the process. */
export function createRoleRegistry(service: string): Registry {
  const registry = new Registry();
  registry.setDefaultLabels({ service });
  return registry;
}

/** Joins registries that may contain metrics of the same name; their label `service` must differ, otherwise values are added up. */
export function joinRegistries(registries: readonly Registry[]): MetricsSource {
  return {
    contentType: Registry.PROMETHEUS_CONTENT_TYPE,
    metrics: async () => {
      const all = await Promise.all(registries.map((registry) => registry.getMetricsAsJSON()));
      return AggregatorRegistry.aggregate(all).metrics();
    },
  };
}
