/**
 * Reliable causal broadcast (paper §3.4; the protocol page, docs/protocol.md §4): the origin logs, what is accepted into them, the causal order of delivery, batches to the peers, and anti-entropy.
 */
@NullMarked
package org.aspas.appserver.core.broadcast;

import org.jspecify.annotations.NullMarked;
