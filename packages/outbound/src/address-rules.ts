/**
 * Decides which addresses may be connected to: public ones, and those that the operator allows by CIDR, address or
 * name.
 */
import { BlockList, isIP } from 'node:net';

/**
 * IANA's special-purpose ranges: private, loopback, link-local (metadata), CGNAT, documentation, multicast, reserved.
 */
const SPECIAL_IPV4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
  // The metadata and DNS address of Azure, which looks public.
  '168.63.129.16/32',
];
/**
 * Only global unicast is public in IPv6; the ranges excluded from it are tunnels to IPv4, documentation and similar.
 */
const GLOBAL_IPV6 = '2000::/3';
const SPECIAL_IPV6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'];

const family = (address: string): 'ipv4' | 'ipv6' => (isIP(address) === 6 ? 'ipv6' : 'ipv4');

function listOf(entries: readonly string[]): BlockList {
  const list = new BlockList();
  for (const entry of entries) {
    const [address = '', prefix] = entry.split('/');
    if (prefix === undefined) list.addAddress(address, family(address));
    else list.addSubnet(address, Number(prefix), family(address));
  }
  return list;
}

const special = listOf([...SPECIAL_IPV4, ...SPECIAL_IPV6]);
const globalIpv6 = listOf([GLOBAL_IPV6]);

function isPublic(address: string): boolean {
  const kind = family(address);
  if (special.check(address, kind)) return false;
  // An IPv4-mapped address (::ffff:0:0/96) is outside of global unicast, so it is refused regardless of its target.
  return kind === 'ipv4' || globalIpv6.check(address, 'ipv6');
}

const isRange = (entry: string): boolean => isIP(entry.split('/')[0] ?? '') !== 0;

/** Matches `host:port` and `[IPv6 address]:port`. */
const WITH_PORT = /^(?:\[([^\]]+)\]|([^:]+)):(\d{1,5})$/;

/** Returns the entry without its port, and the port; null for an entry without one. */
function splitPort(entry: string): { host: string; port: number | null } {
  const [, ipv6, host = ipv6, port] = isIP(entry) === 6 ? [] : (WITH_PORT.exec(entry) ?? []);
  return host === undefined ? { host: entry, port: null } : { host, port: Number(port) };
}

interface Allowed {
  ranges: BlockList;
  names: ReadonlySet<string>;
}

function allowedBy(entries: readonly string[]): Allowed {
  const names = entries.filter((entry) => !isRange(entry)).map((entry) => entry.toLowerCase());
  return { ranges: listOf(entries.filter(isRange)), names: new Set(names) };
}

export class AddressRules {
  readonly #anyPort: Allowed;
  readonly #byPort: ReadonlyMap<number, Allowed>;

  /**
   * `allowed`: CIDRs, addresses and host names that may be reached although they are not public; with `:port` (and an
   * IPv6 address in brackets) only at that port. Throws for a malformed entry.
   */
  constructor(allowed: readonly string[]) {
    const entries = allowed.map(splitPort);
    const hostsAt = (port: number | null): string[] =>
      entries.filter((entry) => entry.port === port).map(({ host }) => host);
    this.#anyPort = allowedBy(hostsAt(null));
    const ports = new Set(entries.flatMap(({ port }) => port ?? []));
    this.#byPort = new Map([...ports].map((port) => [port, allowedBy(hostsAt(port))]));
  }

  /** Returns whether a host (its name as in the URL) may be reached at an address and a port. */
  allows(host: string, address: string, port: number): boolean {
    if (isIP(address) === 0) return false;
    if (isPublic(address)) return true;
    const rules = [this.#anyPort, this.#byPort.get(port)];
    return rules.some(
      (rule) =>
        rule !== undefined && (rule.ranges.check(address, family(address)) || rule.names.has(host.toLowerCase())),
    );
  }
}
