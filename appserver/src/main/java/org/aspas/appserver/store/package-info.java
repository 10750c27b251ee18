/**
 * Stable stores for the core's records ({@link org.aspas.appserver.port.EntryStore}), and files for hashes of leaves that it has no
 * room for ({@link org.aspas.appserver.port.LeafStore}).
 *
 * <h2>The base</h2>
 *
 * The engine under an appserver's base (docs/durability.md, ADR 16): {@link org.aspas.appserver.store.BaseStore} maps bytes to bytes
 * in the order of the keys, and writes batches that are whole or not there. Nothing else of this program sees RocksDB.
 */
@org.jspecify.annotations.NullMarked
package org.aspas.appserver.store;
