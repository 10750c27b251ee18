/**
 * One bftserver as a process: a thin shell around {@link org.aspas.certify.replica.BftServerCore}. {@link
 * org.aspas.bftcluster.node.BftServer} wires the core with the links and BFT-SMaRt. {@code CoreRunner} gives the core its
 * events and has the effects carried out; {@code RecordWriter} writes the items of its record to a {@link
 * org.aspas.bftcluster.node.DurableRecord} and tells the core when they are durable. {@code BftServerLag} measures how
 * long the steps between the bftservers take. Paper §3.5; the protocol page, §5. Read {@code
 * certify.replica} next.
 */
@org.jspecify.annotations.NullMarked
package org.aspas.bftcluster.node;
