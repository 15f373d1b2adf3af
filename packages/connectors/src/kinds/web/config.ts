/** Configuration of a crawl. */
import { z } from 'zod';

const url = z.url({ protocol: /^https?$/, error: 'not an http or https URL' }).max(2000);

export const webConfig = z
  .strictObject({
    startUrls: z.array(url).max(100),
    /** Sitemaps or indexes of sitemaps. Those that robots.txt names are not read by themselves. */
    sitemaps: z.array(url).max(100).default([]),
    /** Number of links from a start URL or an address of a sitemap. */
    maxDepth: z.int().min(0).max(10).default(3),
    maxPages: z.int().min(1).max(50_000).default(1000),
    /** Hosts (with port, if it is not the default one) whose pages are read. Default: those of the start URLs. */
    allowedHosts: z.array(z.string().min(1).max(255)).max(100).optional(),
    /** For each host. A longer crawl delay of robots.txt has precedence. */
    requestsPerSecond: z.number().min(0.01).max(100).default(1),
    /** Sent only to the origins of the start URLs and the sitemaps. */
    headers: z.record(z.string().regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/), z.string().max(8192)).default({}),
    userAgent: z
      .string()
      .regex(/^[\x20-\x7e]{1,200}$/)
      .default('QuireBot/1.0'),
  })
  .refine(({ startUrls, sitemaps }) => startUrls.length + sitemaps.length > 0, {
    path: ['startUrls'],
    message: 'a start URL or a sitemap is required',
  });

export type WebConfig = z.infer<typeof webConfig>;
