/**
 * One object as a replica keeps it: {@link org.aspas.crdt.object.VersionedObject} holds a base state and the uncompacted
 * suffix after it, beside a live view for reads, so that the state can be computed at any later version. A compacted log
 * filtered by a version is <em>not</em> the state at that version, because an operation inside the version may have been
 * erased by one outside it. Mutable; for one thread.
 */
@org.jspecify.annotations.NullMarked
package org.aspas.crdt.object;
