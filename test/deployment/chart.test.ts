import { Ajv } from 'ajv';
import { expect, test } from 'vitest';
import { faultsOf } from '../support/check-manifests.ts';
import { chartValues, renderChart, valuesSchema, type Manifest } from '../support/render-chart.ts';

/** The required values. */
const LEAST = { config: { PUBLIC_URL: 'https://pay.example' }, secret: { name: 'paywatch' } };

const MONITORING = { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'monitoring' } } };

const MOST = {
  ...LEAST,
  config: { ...LEAST.config, TRUSTED_PROXIES: '10.1.0.0/16' },
  networkPolicy: { metricsFrom: [MONITORING], apiFrom: [MONITORING] },
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
  },
  migrate: {
    secret: { name: 'owner', keys: ['DATABASE_URL', 'DATABASE_SERVICE_PASSWORD'] },
    env: { DATABASE_SERVICE_ROLE: 'paywatch_service' },
  },
  retention: { enabled: true, secret: { name: 'retention' } },
  service: { type: 'LoadBalancer', port: 8080 },
  ingress: { enabled: true, className: 'nginx', host: 'pay.example', tlsSecret: 'pay-tls' },
  podMonitor: { enabled: true },
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
  const ofKubernetes = manifests.filter(({ kind }) => kind !== 'PodMonitor');
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
  expect(policies.map(nameOf)).toEqual(['shop', 'shop-api', 'shop-webhooks']);
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
