import ipaddr from 'ipaddr.js';

/** Addresses at which a cloud serves metadata to its machines, often with credentials. */
type MetadataService = {
  readonly cloud: string;
  readonly source: string;
  readonly addresses: readonly string[];
};

/**
 * The metadata addresses of the large clouds. Most are in non-public ranges anyway; they are listed so that a test can check
 * the guard against the complete list. Azure's wire server is in public space.
 */
export const METADATA_SERVICES: readonly MetadataService[] = [
  {
    cloud: 'Azure: wire server',
    source: 'https://learn.microsoft.com/azure/virtual-network/what-is-ip-address-168-63-129-16',
    addresses: ['168.63.129.16'],
  },
  {
    cloud: 'Azure: instance metadata',
    source: 'https://learn.microsoft.com/azure/virtual-machines/instance-metadata-service',
    addresses: ['169.254.169.254'],
  },
  {
    cloud: 'AWS EC2',
    source: 'https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/instancedata-data-retrieval.html',
    addresses: ['169.254.169.254', 'fd00:ec2::254'],
  },
  {
    cloud: 'AWS ECS: tasks',
    source: 'https://docs.aws.amazon.com/AmazonECS/latest/developerguide/task-metadata-endpoint.html',
    addresses: ['169.254.170.2'],
  },
  {
    cloud: 'AWS EKS: pod identity',
    source: 'https://docs.aws.amazon.com/eks/latest/userguide/pod-id-how-it-works.html',
    addresses: ['169.254.170.23', 'fd00:ec2::23'],
  },
  {
    cloud: 'Google Cloud',
    source: 'https://cloud.google.com/compute/docs/metadata/querying-metadata',
    addresses: ['169.254.169.254', 'fd20:ce::254'],
  },
  {
    cloud: 'Oracle Cloud',
    source: 'https://docs.oracle.com/iaas/Content/Compute/Tasks/gettingmetadata.htm',
    addresses: ['169.254.169.254', 'fd00:c1::a9fe:a9fe'],
  },
  {
    cloud: 'Oracle Cloud Classic',
    source:
      'https://docs.oracle.com/en/cloud/iaas/compute-iaas-cloud/stcsg/retrieving-instance-metadata.html',
    addresses: ['192.0.0.192'],
  },
  {
    cloud: 'Alibaba Cloud',
    source: 'https://www.alibabacloud.com/help/en/ecs/user-guide/view-instance-metadata',
    addresses: ['100.100.100.200'],
  },
  {
    cloud: 'Tencent Cloud',
    source: 'https://www.tencentcloud.com/document/product/213/4934',
    addresses: ['169.254.0.23'],
  },
  {
    cloud: 'DigitalOcean',
    source: 'https://docs.digitalocean.com/products/droplets/how-to/access-metadata/',
    addresses: ['169.254.169.254'],
  },
  {
    cloud: 'Hetzner Cloud',
    source: 'https://docs.hetzner.cloud/reference/cloud',
    addresses: ['169.254.169.254'],
  },
  {
    cloud: 'IBM Cloud',
    source: 'https://cloud.ibm.com/docs/vpc?topic=vpc-imd-about',
    addresses: ['169.254.169.254'],
  },
  {
    cloud: 'OpenStack, and the clouds that are built with it',
    source: 'https://docs.openstack.org/nova/latest/user/metadata.html',
    addresses: ['169.254.169.254', 'fe80::a9fe:a9fe'],
  },
  {
    cloud: 'Scaleway',
    source: 'https://www.scaleway.com/en/docs/instances/',
    addresses: ['169.254.42.42', 'fd00:42::42'],
  },
];

const ADDRESSES = new Set(METADATA_SERVICES.flatMap(({ addresses }) => addresses.map(normalized)));

/** Whether a cloud serves metadata at this address. `address` must be parseable, in any notation. */
export function isMetadataAddress(address: string): boolean {
  return ADDRESSES.has(normalized(address));
}

function normalized(address: string): string {
  return ipaddr.parse(address).toNormalizedString();
}
