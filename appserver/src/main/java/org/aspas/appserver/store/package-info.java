/** Stable stores for the core's records ({@link org.aspas.appserver.port.EntryStore}). */
@NullMarked
package org.aspas.appserver.store;

import org.jspecify.annotations.NullMarked;
