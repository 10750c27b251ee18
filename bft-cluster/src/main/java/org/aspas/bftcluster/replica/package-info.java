/**
 * The BFT-SMaRt adapter: one replica of the ordering library around one
 * {@link org.aspas.certify.machine.OrderedMachine}.
 *
 * <p>{@link org.aspas.bftcluster.replica.ReplicaEngine} is the way in. Nothing is read from files and nothing is baked
 * in: addresses and RSA keys are arguments, the view is kept in memory, the Diffie-Hellman group is RFC 3526's group 14,
 * and keys shorter than 2048 bits (the library's own default key is one) are refused. Each replica uses two consecutive
 * ports: the given one for requests, and the next one, which the library binds on every interface, for the other
 * replicas.
 *
 * <p>What the library is trusted with is order and liveness only, and its liveness tolerates crashes, not yet every
 * Byzantine neighbour: its ports must be reachable only for the deployment's own hosts. Safety rests on the
 * application's signatures.
 */
@NullMarked
package org.aspas.bftcluster.replica;

import org.jspecify.annotations.NullMarked;
