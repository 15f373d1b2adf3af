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

export class AddressRules {
  readonly #ranges: BlockList;
  readonly #names: ReadonlySet<string>;

  /**
   * `allowed`: CIDRs, addresses and host names that may be reached although they are not public. Throws for a malformed
   * entry.
   */
  constructor(allowed: readonly string[]) {
    this.#ranges = listOf(allowed.filter(isRange));
    this.#names = new Set(allowed.filter((entry) => !isRange(entry)).map((entry) => entry.toLowerCase()));
  }

  /** Returns whether a host (its name as in the URL) may be reached at an address. */
  allows(host: string, address: string): boolean {
    if (isIP(address) === 0) return false;
    return isPublic(address) || this.#ranges.check(address, family(address)) || this.#names.has(host.toLowerCase());
  }
}
