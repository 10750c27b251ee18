/**
 * The objects and the clients' records: the certified base state with its state tree, the entries after it, and the live views (the protocol page, docs/protocol.md §2, §9).
 */
@NullMarked
package org.aspas.appserver.core.objects;

import org.jspecify.annotations.NullMarked;
