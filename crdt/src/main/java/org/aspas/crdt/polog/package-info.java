/**
 * The pure operation-based framework: a partially ordered log of tagged operations.
 *
 * <p>The source is Baquero, Almeida and Shoker, "Pure Operation-Based Replicated Data Types"
 * (arXiv:1710.04469), section 7 and figure 10. An operation is broadcast as it was issued; causal
 * delivery tags it with a timestamp ({@link org.aspas.crdt.polog.Tagged}); a data type is a set of
 * redundancy relations ({@link org.aspas.crdt.polog.Redundancy}) and a query over the log
 * ({@link org.aspas.crdt.polog.PoLog}).
 *
 * <p>Invariants. Operations are delivered in causal order and once each. No relation and no query ever
 * compares two stored timestamps. Two logs that got the same operations are equal.
 *
 * <p>The records here are immutable; all other classes are mutable and for one thread. Read
 * {@link org.aspas.crdt.type} next.
 */
@NullMarked
package org.aspas.crdt.polog;

import org.jspecify.annotations.NullMarked;
