/** The semantics of replicated objects: version vectors, the pure operation-based framework and the datatypes built on it. */
@NullMarked
package org.aspas.crdt;

import org.jspecify.annotations.NullMarked;
