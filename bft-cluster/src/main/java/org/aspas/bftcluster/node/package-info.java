/**
 * One bftserver as a whole. {@link org.aspas.bftcluster.node.FileRecord} is the durable record behind {@link
 * org.aspas.certify.notary.Notary}, which does what the certification machine wants done. {@link
 * org.aspas.bftcluster.node.Gateway} is the appservers' way in: their signed reports go through it into the ordered
 * commands, and nobody else's. {@link org.aspas.bftcluster.node.BftServer} wires both with the links, BFT-SMaRt and the
 * clock that drives ordered time. Paper §3.5; the protocol page, §5. Read {@code certify.machine} next.
 */
@org.jspecify.annotations.NullMarked
package org.aspas.bftcluster.node;
