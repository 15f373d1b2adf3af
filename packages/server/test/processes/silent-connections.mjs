// Loaded before a service: on SIGUSR2, connections to PostgreSQL fall silent as in a runtime that has lost them. Their
// statements never settle, without an error or a time limit, and their notifications do not arrive. `SILENT_NAMES` is a
// pattern of application names; `SILENT_ALL` extends it to connections that are opened later.
import pg from 'pg';

const names = new RegExp(process.env.SILENT_NAMES ?? '^$');
const { connect, query, emit } = pg.Client.prototype;
const present = new Set();
let silenced = new Set();
let isSilent = () => false;

process.on('SIGUSR2', () => {
  silenced = new Set(present);
  isSilent = (client) => process.env.SILENT_ALL === 'true' || silenced.has(client);
});

const isConcerned = (client) => names.test(client.connectionParameters.application_name ?? '') && isSilent(client);

pg.Client.prototype.connect = function (...args) {
  present.add(this);
  this.once('end', () => present.delete(this));
  return connect.apply(this, args);
};
pg.Client.prototype.query = function (...args) {
  return isConcerned(this) ? new Promise(() => undefined) : query.apply(this, args);
};
pg.Client.prototype.emit = function (name, ...args) {
  return name === 'notification' && isConcerned(this) ? false : emit.call(this, name, ...args);
};
