import { repositoryFolder } from '@paywatch/dev/stack';
import { Ajv } from 'ajv';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { faultsOf } from '../support/check-manifests.ts';
import { chartValues, renderChart, valuesSchema, type Manifest } from '../support/render-chart.ts';

/** The required values. */
const LEAST = { config: { PUBLIC_URL: 'https://pay.example' }, secret: { name: 'paywatch' } };

const MONITORING = { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'monitoring' } } };

const MOST = {
  ...LEAST,
  config: {
    ...LEAST.config,
    TRUSTED_PROXIES: '10.1.0.0/16',
    BTC_ESPLORA_URL: 'https://mempool.space/api',
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector.tracing:4318',
  },
  networkPolicy: { metricsFrom: [MONITORING], apiFrom: [MONITORING], otlp: { to: [MONITORING] } },
  image: { repository: 'registry.example/paywatch', tag: '1.2.3' },
  imagePullSecrets: [{ name: 'registry' }],
  secret: { name: 'paywatch', keys: ['DATABASE_URL', 'REDIS_URL', 'ENCRYPTION_KEYS', 'BTC_NODE_URL'] },
  roles: {
    api: {
      replicas: 5,
      autoscaling: { enabled: false },
      env: { LOG_LEVEL: 'debug', DATABASE_POOL_SIZE: '20' },
    },
    watcher: { autoscaling: { enabled: true } },
    'webhook-worker': {
      autoscaling: {
        podMetrics: [{ name: 'paywatch_webhook_in_flight', averageValue: '500' }],
        externalMetrics: [{ name: 'paywatch_webhook_outbox_lag_seconds', value: '5' }],
      },
    },
  },
  migrate: {
    secret: { name: 'owner', keys: ['DATABASE_URL', 'DATABASE_SERVICE_PASSWORD'] },
    env: { DATABASE_SERVICE_ROLE: 'paywatch_service' },
  },
  retention: { enabled: true, secret: { name: 'retention' } },
  service: { type: 'LoadBalancer', port: 8080 },
  ingress: { enabled: true, className: 'nginx', host: 'pay.example', tlsSecret: 'pay-tls' },
  podMonitor: { enabled: true },
  prometheusRule: { enabled: true, labels: { release: 'prometheus' } },
  dashboard: { enabled: true },
};

const LITTLE = {
  ...LEAST,
  migrate: { enabled: false },
  networkPolicy: { enabled: false },
};

const fits = new Ajv({ strict: false }).compile(valuesSchema());

test.each([
  ['the required values', LEAST],
  ['all values', MOST],
  ['everything disabled', LITTLE],
])('with %s the chart renders valid Kubernetes objects', (_, values) => {
  expect(fits(chartValues(values)), JSON.stringify(fits.errors)).toBe(true);
  const manifests = renderChart(values);
  const ofKubernetes = manifests.filter(({ apiVersion }) => !apiVersion.startsWith('monitoring.coreos.com/'));
  expect(faultsOf(ofKubernetes)).toEqual([]);
  const names = manifests.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
  expect(names).toEqual([...new Set(names)]);
});

test('each role has a deployment that its disruption budget, autoscaler and service select by labels', () => {
  const manifests = renderChart(LEAST);
  const ofKind = (kind: string) => manifests.filter((manifest) => manifest.kind === kind);
  const roles = ['api', 'watcher', 'webhook-worker'];
  expect(ofKind('Deployment').map(nameOf)).toEqual(roles.map((role) => `shop-${role}`));
  expect(ofKind('PodDisruptionBudget').map(selectorOf)).toEqual(ofKind('Deployment').map(selectorOf));
  expect(ofKind('HorizontalPodAutoscaler').map(nameOf)).toEqual(['shop-api', 'shop-webhook-worker']);
  expect(ofKind('Service').map(({ spec }) => spec)).toMatchObject([
    { selector: labelsOf('api'), ports: [{ port: 80, targetPort: 'http' }] },
  ]);
  for (const deployment of ofKind('Deployment')) {
    expect(deployment).toMatchObject({
      spec: { template: { metadata: { labels: selectorOf(deployment) } } },
    });
    expect(JSON.stringify(deployment)).toContain('"readOnlyRootFilesystem":true');
  }
});

test('values appear in the right places', () => {
  const manifests = renderChart(MOST);
  const find = (kind: string, name: string) =>
    manifests.find((manifest) => manifest.kind === kind && manifest.metadata.name === name);
  expect(find('Deployment', 'shop-api')).toMatchObject({
    spec: {
      replicas: 5,
      template: {
        spec: {
          imagePullSecrets: [{ name: 'registry' }],
          containers: [
            {
              image: 'registry.example/paywatch:1.2.3',
              args: ['api'],
              env: expect.arrayContaining([
                { name: 'PUBLIC_URL', value: 'https://pay.example' },
                { name: 'BTC_NODE_URL_FILE', value: '/run/secrets/paywatch/BTC_NODE_URL' },
                { name: 'DATABASE_POOL_SIZE', value: '20' },
              ]),
            },
          ],
        },
      },
    },
  });
  expect(find('HorizontalPodAutoscaler', 'shop-watcher')).toBeDefined();
  expect(find('HorizontalPodAutoscaler', 'shop-api')).toBeUndefined();
  expect(find('Ingress', 'shop')).toMatchObject({
    spec: { tls: [{ hosts: ['pay.example'], secretName: 'pay-tls' }] },
  });
  expect(find('PodMonitor', 'shop')).toMatchObject({ apiVersion: 'monitoring.coreos.com/v1' });
  expect(renderChart(LITTLE).some(({ kind }) => ['Job', 'NetworkPolicy'].includes(kind))).toBe(false);
});

test('pods can connect only to private addresses of configured servers; workers also to public ones', () => {
  const policies = renderChart(LEAST).filter(({ kind }) => kind === 'NetworkPolicy');
  expect(policies.map(nameOf)).toEqual(['shop', 'shop-api', 'shop-webhooks', 'shop-sources']);
  expect(policies[2]).toMatchObject({
    spec: {
      podSelector: { matchLabels: labelsOf('webhook-worker') },
      egress: [
        {
          to: [
            {
              ipBlock: {
                cidr: '0.0.0.0/0',
                except: expect.arrayContaining(['10.0.0.0/8', '168.63.129.16/32', '169.254.0.0/16']),
              },
            },
            { ipBlock: { cidr: '::/0', except: expect.arrayContaining(['fc00::/7']) } },
          ],
        },
      ],
    },
  });
});

test('port 9100 is open to the configured monitoring only', () => {
  expect(ingressOf(LEAST, 'shop')).toMatchObject({ policyTypes: ['Ingress', 'Egress'], ingress: [] });
  expect(ingressOf(MOST, 'shop')).toMatchObject({
    ingress: [{ from: [MONITORING], ports: [{ port: 9100, protocol: 'TCP' }] }],
  });
  expect(ingressOf(MOST, 'shop-api')).toMatchObject({
    ingress: [{ from: [MONITORING], ports: [{ port: 8080, protocol: 'TCP' }] }],
  });
  expect(() => renderChart({ ...LEAST, podMonitor: { enabled: true } })).toThrow('networkPolicy.metricsFrom');
});

test('watchers reach public servers only if Esplora or exchange rates are configured, and the collector only if traces are', () => {
  const without = { ...LEAST, config: { ...LEAST.config, RATE_SOURCES: 'none' } };
  expect(ingressOf(without, 'shop-sources')).toBeUndefined();
  for (const name of ['BTC_ESPLORA_URL', 'LTC_ESPLORA_URL'])
    expect(
      ingressOf(
        { ...without, config: { ...without.config, [name]: 'https://esplora.example' } },
        'shop-sources',
      ),
    ).toMatchObject({
      podSelector: { matchLabels: labelsOf('watcher') },
      egress: [
        {
          to: [
            { ipBlock: { except: expect.arrayContaining(['10.0.0.0/8']) } },
            { ipBlock: { cidr: '::/0' } },
          ],
          ports: [{ port: 443, protocol: 'TCP' }],
        },
      ],
    });
  const collector = { to: [MONITORING], ports: [{ port: 4318, protocol: 'TCP' }] };
  expect(ingressOf(MOST, 'shop')).toMatchObject({ egress: expect.arrayContaining([collector]) });
  expect(JSON.stringify(ingressOf(LEAST, 'shop'))).not.toContain('4318');
  const unnamed = {
    ...LEAST,
    config: { ...LEAST.config, OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' },
  };
  expect(() => renderChart(unnamed)).toThrow('networkPolicy.otlp.to');
});

test('every pod can be pulled with the pull secrets, and those of a role are spread over nodes and zones', () => {
  for (const manifest of renderChart(MOST).filter(({ kind }) =>
    ['Deployment', 'Job', 'CronJob'].includes(kind),
  ))
    expect(JSON.stringify(manifest)).toContain('"imagePullSecrets":[{"name":"registry"}]');
  for (const deployment of renderChart(LEAST).filter(({ kind }) => kind === 'Deployment')) {
    expect(JSON.stringify(deployment)).not.toContain('imagePullSecrets');
    for (const key of ['kubernetes.io/hostname', 'topology.kubernetes.io/zone'])
      expect(JSON.stringify(deployment)).toContain(`"topologyKey":"${key}"`);
  }
});

test('alerts and dashboard are those of infra, for the Prometheus operator and Grafana’s sidecar', () => {
  const manifests = renderChart(MOST);
  const rule = manifests.find(({ kind }) => kind === 'PrometheusRule');
  expect(rule).toMatchObject({ metadata: { labels: { release: 'prometheus' } } });
  expect(rule?.spec).toEqual(
    parse(readFileSync(join(repositoryFolder, 'infra/prometheus/rules.yml'), 'utf8')),
  );
  const [dashboard] = manifests.filter(({ kind }) => kind === 'ConfigMap');
  expect(dashboard).toMatchObject({ metadata: { labels: { grafana_dashboard: '1' } } });
  const { 'paywatch.json': text } = z.object({ 'paywatch.json': z.string() }).parse(dashboard?.['data']);
  const file = readFileSync(join(repositoryFolder, 'infra/grafana/dashboards/paywatch.json'), 'utf8');
  // Helm packages only files of the chart: copy both files when they change.
  expect(JSON.parse(text)).toEqual(JSON.parse(file));
  expect(renderChart(LEAST).map(({ kind }) => kind)).not.toContain('PrometheusRule');
});

test('a role is scaled by CPU and by the configured metrics, which prometheus-adapter gets from series of the services', () => {
  const scaler = renderChart(MOST).find(
    ({ kind, metadata }) => kind === 'HorizontalPodAutoscaler' && metadata.name === 'shop-webhook-worker',
  );
  expect(scaler).toMatchObject({
    spec: {
      metrics: [
        { type: 'Resource' },
        { type: 'Pods', pods: { metric: { name: 'paywatch_webhook_in_flight' } } },
        { type: 'External', external: { target: { type: 'Value', value: '5' } } },
      ],
    },
  });
  const adapter = readFileSync(join(repositoryFolder, 'infra/helm/prometheus-adapter.yaml'), 'utf8');
  // A real Prometheus runs every query of the dashboard, in alerts.test.ts.
  const known = readFileSync(join(repositoryFolder, 'infra/grafana/dashboards/paywatch.json'), 'utf8');
  const series = [...adapter.matchAll(/seriesQuery: '(\w+)/g)].map(([, name = '']) => name);
  expect(series.length).toBe(3);
  expect(series.filter((name) => !known.includes(name))).toEqual([]);
});

test.each(readdirSync(join(repositoryFolder, 'infra/helm/ingress')))(
  'the values for %s keep client addresses, and admit only the controller',
  (name) => {
    const values = parse(readFileSync(join(repositoryFolder, 'infra/helm/ingress', name), 'utf8'));
    const all = { ...LEAST, ...values, config: { ...LEAST.config, ...values.config } };
    all.ingress = { ...values.ingress, host: 'pay.example', tlsSecret: 'pay-tls' };
    expect(fits(chartValues(all)), JSON.stringify(fits.errors)).toBe(true);
    const ingress = renderChart(all).filter(({ kind }) => kind === 'Ingress');
    expect(ingress).toMatchObject([{ spec: { ingressClassName: name.replace('.yaml', '') } }]);
    expect(faultsOf(ingress)).toEqual([]);
    expect(ingressOf(all, 'shop-api')).toMatchObject({ ingress: [{ from: values.networkPolicy.apiFrom }] });
  },
);

test('client addresses are preserved: the API trusts the ingress, and a node port service forwards them', () => {
  const ingress = { enabled: true, host: 'pay.example' };
  expect(() => renderChart({ ...LEAST, ingress })).toThrow('config.TRUSTED_PROXIES');
  for (const type of ['LoadBalancer', 'NodePort'])
    expect(renderChart({ ...LEAST, service: { type } }).find(({ kind }) => kind === 'Service')).toMatchObject(
      {
        spec: { type, externalTrafficPolicy: 'Local' },
      },
    );
});

test('migrations run as the owner and the audit log is pruned by the retention role, each with its own Secret', () => {
  expect(jobOf(MOST, 'Job')).toContain('"secretName":"owner"');
  expect(jobOf(MOST, 'Job')).toContain('{"name":"DATABASE_SERVICE_ROLE","value":"paywatch_service"}');
  expect(jobOf(MOST, 'Job')).not.toContain('ENCRYPTION_KEYS');
  expect(jobOf(LEAST, 'Job')).toContain('"secretName":"paywatch"');
  expect(jobOf(LEAST, 'Job')).toContain('ENCRYPTION_KEYS_FILE');
  expect(jobOf(MOST, 'CronJob')).toContain('"args":["audit","prune"]');
  expect(jobOf(MOST, 'CronJob')).toContain('"secretName":"retention"');
  expect(() => renderChart({ ...LEAST, retention: { enabled: true } })).toThrow('retention.secret.name');
});

test('an image digest is used if it is set, and an invalid one is rejected', () => {
  const digest = `sha256:${'0'.repeat(64)}`;
  const image = { repository: 'registry.example/paywatch', tag: '1.2.3', digest };
  expect(JSON.stringify(renderChart({ ...LEAST, image }))).toContain(`"registry.example/paywatch@${digest}"`);
  expect(fits(chartValues({ ...LEAST, image: { ...image, digest: 'sha256:1' } }))).toBe(false);
});

test('invalid values are rejected: a missing secret or address, an unknown name', () => {
  expect(() => renderChart({})).toThrow('secret.name');
  expect(() => renderChart({ ...MOST, ingress: { enabled: true, host: '' } })).toThrow('ingress.host');
  for (const values of [
    {},
    { ...LEAST, config: { PUBLIC_URL: 'pay.example' } },
    { ...LEAST, replicas: 3 },
    { ...LEAST, roles: { api: { autoscaling: { max: 0 } } } },
    { ...LEAST, secret: { name: 'paywatch', keys: ['database-url'] } },
  ])
    expect(fits(chartValues(values)), JSON.stringify(values)).toBe(false);
});

test('an unknown Kubernetes field and a number instead of a string are found', () => {
  const [service] = renderChart(LEAST).filter(({ kind }) => kind === 'Service');
  if (!service) throw new Error('no service');
  expect(faultsOf([{ ...service, spec: { port: 80 } }]).join()).toContain('known properties');
  expect(faultsOf([{ ...service, spec: { ports: [{ port: '80' }] } }]).join()).toContain('not assignable');
});

/** The first object of a kind, as text. */
function jobOf(values: Parameters<typeof renderChart>[0], kind: string): string {
  return JSON.stringify(renderChart(values).find((manifest) => manifest.kind === kind));
}

/** The network policy with this name. */
function ingressOf(values: Parameters<typeof renderChart>[0], name: string): unknown {
  return renderChart(values).find(({ kind, metadata }) => kind === 'NetworkPolicy' && metadata.name === name)
    ?.spec;
}

function nameOf({ metadata }: Manifest): string {
  return metadata.name;
}

function labelsOf(role: string): Record<string, string> {
  return { 'app.kubernetes.io/instance': 'shop', 'app.kubernetes.io/component': role };
}

function selectorOf({ spec }: Manifest): unknown {
  return (spec as { selector: { matchLabels: unknown } }).selector.matchLabels;
}
