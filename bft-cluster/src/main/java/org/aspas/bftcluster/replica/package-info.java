/**
 * The BFT-SMaRt adapter: one replica of the ordering library around one
 * {@link org.aspas.certify.machine.OrderedMachine}.
 *
 * <p>{@link org.aspas.bftcluster.replica.ReplicaEngine} is the way in. Nothing is read from files and nothing is baked
 * in: addresses and RSA keys are arguments, the view is kept in memory, the Diffie-Hellman group is RFC 3526's group 14,
 * and keys shorter than 2048 bits (the library's own default key is one) are refused. State transfer is our own ({@link
 * org.aspas.bftcluster.replica.StateTransfer}). With an {@link org.aspas.bftcluster.replica.Enclosure}, which every
 * bftserver has, the library's two ports are closed as soon as it has made them, and requests are injected; without one,
 * as the tests use it for comparison, a replica listens at its given port and the next one, and is safe from nobody.
 *
 * <p>What the library is trusted with is order and liveness only. Safety rests on the application's signatures; what
 * remains of liveness against Byzantine neighbours is in docs/security.md.
 */
@NullMarked
package org.aspas.bftcluster.replica;

import org.jspecify.annotations.NullMarked;
