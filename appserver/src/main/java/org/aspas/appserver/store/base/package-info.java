/**
 * The engine under an appserver's base (docs/durability.md, ADR 16): {@link org.aspas.appserver.store.base.BaseStore} maps bytes
 * to bytes in the order of the keys, and writes batches that are whole or not there. Nothing else of this program sees RocksDB.
 */
@NullMarked
package org.aspas.appserver.store.base;

import org.jspecify.annotations.NullMarked;
