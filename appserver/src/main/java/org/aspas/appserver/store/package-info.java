/**
 * Stable stores for the core's records ({@link org.aspas.appserver.port.EntryStore}), and files for hashes of leaves that it has no
 * room for ({@link org.aspas.appserver.port.LeafStore}).
 */
@NullMarked
package org.aspas.appserver.store;

import org.jspecify.annotations.NullMarked;
