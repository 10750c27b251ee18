/**
 * Snapshots of the certified state for servers that were away for longer than certificates are kept (docs/durability.md).
 *
 * <p>{@link org.aspas.appserver.core.snapshot.SnapshotSource} keeps the state at some certificates and gives parts of it. {@link
 * org.aspas.appserver.core.snapshot.SnapshotIntake} finds out that a snapshot is needed, chooses one, gets its parts from several
 * peers, verifies each, and returns the whole as a {@link org.aspas.appserver.core.snapshot.Snapshot}; the core installs it.
 *
 * <p>What always holds: nothing of a part is kept that the certified roots do not prove; no peer can make a server take a state
 * that 2b+1 bftservers did not sign; what a peer leaves out or delays costs time only.
 */
@NullMarked
package org.aspas.appserver.core.snapshot;

import org.jspecify.annotations.NullMarked;
