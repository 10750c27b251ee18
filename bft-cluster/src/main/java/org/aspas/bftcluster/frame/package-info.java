/**
 * Judges what one replica of BFT-SMaRt sends another, from the bytes alone.
 *
 * <p>Replicas of the library send each other serialized Java objects. The library deserializes whatever comes and trusts
 * the result. An unexpected class, a length that lies, or a message that no correct replica sends kills one of its threads
 * or stops the order. So we judge every frame before the library sees it. Read {@link
 * org.aspas.bftcluster.frame.FrameCheck} first: a frame goes in, a {@link org.aspas.bftcluster.frame.FrameVerdict} comes
 * out.
 *
 * <ol>
 *   <li>{@link org.aspas.bftcluster.frame.StreamReader} parses the serialization stream (Java Object Serialization
 *       Specification, chapter 6). It makes no object of any class that the stream names. It accepts only the classes in
 *       {@link org.aspas.bftcluster.frame.LibraryClasses}, each with exactly the descriptor that this library writes, and
 *       gives a tree of {@link org.aspas.bftcluster.frame.StreamValue}.
 *   <li>The checks read that tree with {@link org.aspas.bftcluster.frame.ContentsReader}: {@code ConsensusCheck} reads proposals and votes, {@code LeaderChangeCheck} changes of leader, {@code StateCheck}
 *       state transfer, {@link org.aspas.bftcluster.frame.BatchCheck} batches of requests, {@link
 *       org.aspas.bftcluster.frame.RequestCheck} one request of a bftserver.
 *   <li>{@link org.aspas.bftcluster.frame.PeerAllowance} bounds what one peer may make the library keep.
 * </ol>
 *
 * <p>{@link org.aspas.bftcluster.frame.SerialFilter} gives the same list of classes to the Java runtime, as a second wall.
 *
 * <p>All but {@code PeerAllowance} are pure functions of the bytes and the {@link
 * org.aspas.bftcluster.frame.ReplicaGroup}. They are total: any bytes give a verdict, in time and memory linear in their
 * number. The package has no socket, thread or clock; callers tell {@code PeerAllowance} the time.
 */
@NullMarked
package org.aspas.bftcluster.frame;

import org.jspecify.annotations.NullMarked;
