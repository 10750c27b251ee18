/**
 * What one replica promises and signs (the protocol page, docs/protocol.md §2, §5.5). {@link
 * org.aspas.certify.notary.Notary} carries out what the certification machine wants done, under rules of its own that hold
 * whatever the order did; {@link org.aspas.certify.notary.NotaryRecord} is the port to the disk where each promise is
 * durable before it leaves, {@link org.aspas.certify.notary.RecordState} what the promises amount to, and {@link
 * org.aspas.certify.notary.Lessons} how a replica that lost its record comes back. Pure but for the port: the file is in
 * {@code bftcluster.node}. Read {@code certify.machine} first.
 */
@org.jspecify.annotations.NullMarked
package org.aspas.certify.notary;
