/** The files in `deploy/`: their settings exist, and the chart renders to what Kubernetes expects. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { findProgram } from '@quire/connectors/testing/programs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (...parts: string[]): string => readFileSync(path.join(root, ...parts), 'utf8');
const helm = findProgram('helm');

const settings = new Set(read('docs', 'guide', 'settings.md').match(/QUIRE_[A-Z0-9_]+/g));

interface Resource {
  kind: string;
  metadata: { name: string };
  spec: Record<string, unknown>;
}

interface Deployment {
  replicas: number;
  selector: { matchLabels: Record<string, string> };
  template: {
    metadata: { labels: Record<string, string> };
    spec: {
      serviceAccountName?: string;
      containers: {
        image: string;
        env: { name: string; value: string }[];
        envFrom: { secretRef: { name: string } }[];
        volumeMounts: { name: string; mountPath: string }[];
        resources: Record<string, unknown>;
      }[];
      volumes: { name: string }[];
    };
  };
}

/** Renders the chart with values. Throws the message of helm. */
function render(...values: string[]): Resource[] {
  const args = ['template', 'quire', path.join(root, 'deploy', 'helm'), ...values.flatMap((value) => ['--set', value])];
  const rendered = execFileSync(helm ?? 'helm', args, { encoding: 'utf8', stdio: 'pipe' });
  return parseAllDocuments(rendered).flatMap((document) => {
    expect(document.errors).toEqual([]);
    const resource = document.toJS() as Resource | null;
    return resource === null ? [] : [resource];
  });
}

const deploymentOf = (resources: readonly Resource[], name: string): Deployment =>
  resources.find(({ kind, metadata }) => kind === 'Deployment' && metadata.name === name)!
    .spec as unknown as Deployment;

const NEEDED = ['existingSecret=secret', 'storageUrl=s3://documents/quire'];
const namesOf = (resources: readonly Resource[]): string[] =>
  resources.map(({ kind, metadata }) => `${kind} ${metadata.name}`).toSorted();

test.each(['compose.yaml', 'compose.cluster.yaml', 'Dockerfile', 'quire.service', 'helm/templates/_process.tpl'])(
  'each setting in %s exists',
  (file) => {
    const used = new Set(read('deploy', file).match(/QUIRE_[A-Z0-9_]+/g));
    expect(used.size).toBeGreaterThan(0);
    expect([...used].filter((name) => !settings.has(name))).toEqual([]);
  },
);

test('the services of the cluster have a health check, and wait for what they need', () => {
  const { services } = parse(read('deploy', 'compose.cluster.yaml'), { merge: true }) as {
    services: Record<string, { depends_on?: Record<string, { condition: string }>; healthcheck?: unknown }>;
  };
  for (const { depends_on: needed = {} } of Object.values(services)) {
    for (const [name, { condition }] of Object.entries(needed)) {
      if (condition === 'service_healthy') expect(services[name]?.healthcheck).toBeDefined();
      expect(Object.keys(services)).toContain(name);
    }
  }
});

describe.skipIf(helm === null)('the chart (skipped: helm is not installed)', () => {
  test('renders both processes with their secret, bucket, volumes and labels', () => {
    const resources = render(...NEEDED, 'settings.QUIRE_RATE_LIMIT=100');
    expect(namesOf(resources)).toEqual([
      'Deployment quire-api',
      'Deployment quire-worker',
      'PodDisruptionBudget quire-api',
      'PodDisruptionBudget quire-worker',
      'Service quire',
    ]);
    for (const name of ['quire-api', 'quire-worker']) {
      const { selector, template } = deploymentOf(resources, name);
      expect(template.metadata.labels).toMatchObject(selector.matchLabels);
      const container = template.spec.containers[0]!;
      expect(container.env.filter(({ name: setting }) => !settings.has(setting))).toEqual([]);
      expect(container.env).toContainEqual({ name: 'QUIRE_STORAGE_URL', value: 's3://documents/quire' });
      expect(container.env).toContainEqual({ name: 'QUIRE_RATE_LIMIT', value: '100' });
      expect(container.envFrom).toEqual([{ secretRef: { name: 'secret' } }]);
      const volumes = template.spec.volumes.map(({ name }) => name);
      expect(container.volumeMounts.map(({ name }) => name)).toEqual(volumes);
    }
    const service = resources.find(({ kind }) => kind === 'Service')!.spec as { selector: Record<string, string> };
    expect(deploymentOf(resources, 'quire-api').template.metadata.labels).toMatchObject(service.selector);
  });

  test('adds an account, an ingress and certificates only if they are requested', () => {
    const resources = render(
      ...NEEDED,
      'serviceAccount.name=reader',
      'serviceAccount.annotations.role=documents',
      'certificateSecret=authority',
      'ingress.enabled=true',
      'ingress.host=quire.example.com',
      'ingress.tlsSecret=tls',
    );
    expect(namesOf(resources)).toEqual(
      expect.arrayContaining(['ServiceAccount reader', 'Ingress quire', 'Service quire']),
    );
    const { template } = deploymentOf(resources, 'quire-api');
    expect(template.spec.serviceAccountName).toBe('reader');
    expect(template.spec.containers[0]?.env).toContainEqual({
      name: 'QUIRE_EXTRA_CA_FILE',
      value: '/run/certificates/ca.pem',
    });
  });

  test.each([
    [['storageUrl=s3://documents/quire'], 'existingSecret is needed'],
    [['existingSecret=secret'], 'storageUrl is needed'],
    [[...NEEDED, 'ingress.enabled=true'], 'ingress.host is needed'],
  ])('with %j helm says: %s', (values, message) => {
    expect(() => render(...values)).toThrow(message);
  });
});
