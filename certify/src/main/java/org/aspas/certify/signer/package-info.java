/**
 * What one replica promises and signs (the protocol page, docs/protocol.md §2, §5.5). {@link
 * org.aspas.certify.signer.CertificateSigner} carries out what the certification machine wants done, under rules of its own that hold
 * whatever the order did. It issues {@link org.aspas.certify.signer.RecordItem}s for the durable record before it promises
 * anything; {@link org.aspas.certify.signer.RecordState} is what they amount to. {@code RecordRelearning} is how a replica that lost
 * its record comes back. {@code certify.replica} holds each promise back until the record is durable. Read {@code
 * certify.machine} first.
 */
@org.jspecify.annotations.NullMarked
package org.aspas.certify.signer;
