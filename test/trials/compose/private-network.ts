import { callProgram } from '../shared/call-program.ts';

/** A network of this machine in which every service has an address and ports of its own, as with Docker. */
export type PrivateNetwork = {
  /** CIDR of all addresses. */
  subnet: string;
  /** The address by which services reach us. */
  gateway: string;
  /** The address of each service, by its name. */
  addresses: Readonly<Record<string, string>>;
  /** The network namespace of a service. */
  namespaceOf(service: string): string;
};

/** Creates it with a namespace for each service. `parts` removes it. */
export async function openPrivateNetwork(
  parts: AsyncDisposableStack,
  services: readonly string[],
): Promise<PrivateNetwork> {
  const prefix = `10.214.${process.pid % 256}`;
  const bridge = `pwb${process.pid}`;
  await ip('link', 'add', bridge, 'type', 'bridge');
  parts.defer(() => ip('link', 'delete', bridge));
  await ip('address', 'add', `${prefix}.1/24`, 'dev', bridge);
  await ip('link', 'set', bridge, 'up');
  const addresses = Object.fromEntries(services.map((name, index) => [name, `${prefix}.${index + 10}`]));
  for (const [index, name] of services.entries()) {
    const namespace = namespaceName(name);
    await ip('netns', 'add', namespace);
    parts.defer(() => ip('netns', 'delete', namespace));
    const link = `pwv${process.pid}.${index}`;
    await ip('link', 'add', link, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', namespace);
    await ip('link', 'set', link, 'master', bridge, 'up');
    await ip('-n', namespace, 'address', 'add', `${addresses[name]}/24`, 'dev', 'eth0');
    for (const device of ['lo', 'eth0']) await ip('-n', namespace, 'link', 'set', device, 'up');
    // Docker allows every user to listen on the ports below 1024 of a container.
    await callProgram('ip', [
      'netns',
      'exec',
      namespace,
      'sysctl',
      '-qw',
      'net.ipv4.ip_unprivileged_port_start=0',
    ]);
  }
  return {
    subnet: `${prefix}.0/24`,
    gateway: `${prefix}.1`,
    addresses,
    namespaceOf: (service) => `/run/netns/${namespaceName(service)}`,
  };
}

function namespaceName(service: string): string {
  return `pw${process.pid}-${service}`;
}

async function ip(...args: string[]): Promise<void> {
  await callProgram('ip', args);
}
