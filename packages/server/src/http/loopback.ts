const LOOPBACK_ADDRESS = /^(?:::ffff:)?127(?:\.\d{1,3}){3}$|^::1$/;
const LOOPBACK_NAME = /^(?:localhost|127(?:\.\d{1,3}){3}|\[?::1\]?)$/i;

/** Returns whether a socket's address is one of this machine alone. */
export const isLoopbackAddress = (address: string): boolean => LOOPBACK_ADDRESS.test(address);

/** Returns whether a host of a URL, without its port, names this machine alone. */
export const isLoopbackName = (hostname: string): boolean => LOOPBACK_NAME.test(hostname);
