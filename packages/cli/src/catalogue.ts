/** All commands by name, in the order of the help. */
import type { Command } from 'commander';
import type { Register } from './register/register.ts';

/** Adds options and action, or subcommands, to a command. */
export type AddCommand = (command: Command, register: Register) => void;

export interface Entry {
  /** Name and arguments. */
  usage: string;
  description: string;
  /** Loads the module of the command. */
  load: () => Promise<AddCommand>;
  /** Command that lists what an id of this command may name; by default collections and documents. */
  lists?: string;
}

const documents = () => import('./register/documents.ts');
const questions = () => import('./register/questions.ts');
const resources = () => import('./register/resources.ts');
const account = () => import('./register/account.ts');
const processing = () => import('./register/process.ts');
const other = () => import('./register/other.ts');

export const COMMANDS: readonly Entry[] = [
  {
    usage: 'login <url>',
    description: 'check a key and store it as a profile',
    load: async () => (await account()).addLogin,
  },
  {
    usage: 'use [profile]',
    description: 'list the profiles, switch to one, or set its default collection',
    load: async () => (await account()).addUse,
  },
  {
    usage: 'whoami',
    description: 'show the permission and the workspace of the key',
    load: async () => (await account()).addWhoami,
  },
  {
    usage: 'add <path...>',
    description: 'add files and folders to a collection; run it again to continue or to send changes',
    load: async () => (await documents()).addAdd,
  },
  {
    usage: 'ls',
    description: 'list documents, newest first',
    load: async () => (await documents()).addList,
  },
  {
    usage: 'show <document>',
    description: 'show a document by id, or by name in its collection',
    load: async () => (await documents()).addShow,
  },
  {
    usage: 'rm <document...>',
    description: 'delete documents',
    load: async () => (await documents()).addRemove,
  },
  {
    usage: 'retry [document...]',
    description: 'process failed documents again',
    load: async () => (await documents()).addRetry,
  },
  {
    usage: 'search <query>',
    description: 'search one collection, or all that the key may read',
    load: async () => (await questions()).addSearch,
  },
  {
    usage: 'ask [question]',
    description: 'answer from a collection with sources; without a question, hold a conversation',
    load: async () => (await questions()).addAsk,
  },
  {
    usage: 'eval <file>',
    description: 'measure search with questions and their right documents (JSON lines)',
    load: async () => (await questions()).addEval,
  },
  {
    usage: 'process <file...>',
    description: 'parse files and, by option, summarise, classify, extract or edit them',
    load: async () => (await processing()).addProcess,
  },
  {
    usage: 'extract <file...>',
    description: 'extract JSON by a schema',
    load: async () => (await processing()).addExtract,
  },
  {
    usage: 'collections',
    description: 'list, create and delete collections',
    load: async () => (await resources()).addCollections,
    lists: 'quire collections',
  },
  {
    usage: 'keys',
    description: 'list, create and revoke API keys',
    load: async () => (await resources()).addKeys,
    lists: 'quire keys',
  },
  {
    usage: 'config',
    description: 'list, create and test models, embedders and parsers',
    load: async () => (await resources()).addConfigurations,
    lists: 'quire config ls KIND',
  },
  {
    usage: 'webhooks',
    description: 'list, create and test webhooks, or receive deliveries',
    load: async () => (await resources()).addWebhooks,
    lists: 'quire webhooks',
  },
  {
    usage: 'deliveries',
    description: 'list and repeat deliveries of webhooks',
    load: async () => (await resources()).addDeliveries,
    lists: 'quire deliveries',
  },
  {
    usage: 'connectors',
    description: 'import from a source and keep a collection in step',
    load: async () => (await import('./register/connectors.ts')).addConnectors,
    lists: 'quire connectors',
  },
  {
    usage: 'export',
    description: 'write a collection (originals, metadata, settings) as one tar',
    load: async () => (await other()).addExport,
  },
  {
    usage: 'import <file>',
    description: 'create a collection from an export, - for stdin',
    load: async () => (await other()).addImport,
  },
  {
    usage: 'mcp',
    description: 'serve MCP over stdio, for assistants that start a program',
    load: async () => (await other()).addMcp,
  },
  {
    usage: 'doctor',
    description: 'check the configuration, the service and the key',
    load: async () => (await other()).addDoctor,
  },
  {
    usage: 'serve [arguments...]',
    description: 'start the service, if @quire/server is installed',
    load: async () => (await other()).addServe,
  },
  {
    usage: 'completion <shell>',
    description: 'print a completion script for bash, zsh or fish',
    load: async () => (await other()).addCompletion,
  },
];
