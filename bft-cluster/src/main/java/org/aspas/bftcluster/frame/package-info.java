/**
 * What one replica of BFT-SMaRt may say to another, decided from the bytes alone.
 *
 * <p>Replicas of the ordering library send each other serialized Java objects. The library deserializes whatever comes
 * and trusts the result: a value of an unexpected class, a length that is not true, or a message that a correct replica
 * never sends kills one of its threads or stops the order. So a frame is judged here before the library sees it. Read
 * {@link org.aspas.bftcluster.frame.FrameCheck} first: frame in, {@link org.aspas.bftcluster.frame.Judgement} out.
 *
 * <p>{@link org.aspas.bftcluster.frame.StreamReader} reads the Java serialization stream (Java Object Serialization
 * Specification, chapter 6) without making a single object of a class named in it: it accepts only the classes in
 * {@link org.aspas.bftcluster.frame.LibraryClasses}, with exactly the descriptor that this library writes, and gives a
 * tree of {@link org.aspas.bftcluster.frame.Value}. The checks walk that tree by shape: {@link
 * org.aspas.bftcluster.frame.ConsensusCheck} for consensus, {@link org.aspas.bftcluster.frame.LeaderChangeCheck} for
 * changes of leader, {@link org.aspas.bftcluster.frame.StateCheck} for state transfer, {@link
 * org.aspas.bftcluster.frame.BatchCheck} for batches of requests. {@link org.aspas.bftcluster.frame.PeerAllowance} bounds
 * what one peer may make the library keep.
 *
 * <p>{@link org.aspas.bftcluster.frame.SerialFilter} is the same list of classes once more, for the Java runtime itself.
 *
 * <p>All but {@code PeerAllowance} are pure functions of the bytes and the {@link org.aspas.bftcluster.frame.Membership
 * membership}. Everything is total: any bytes give a judgement, in time and memory linear in their number. No sockets,
 * threads or clock; {@code PeerAllowance} is told the time.
 */
@NullMarked
package org.aspas.bftcluster.frame;

import org.jspecify.annotations.NullMarked;
