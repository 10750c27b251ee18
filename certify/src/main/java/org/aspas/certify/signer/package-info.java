/**
 * What one replica promises and signs (the protocol page, docs/protocol.md §2, §5.5).
 *
 * <ul>
 *   <li>{@link org.aspas.certify.signer.CertificateSigner} carries out what the certification machine wants done, under
 *       rules of its own that hold whatever the order did.
 *   <li>It issues {@link org.aspas.certify.signer.RecordItem}s for the durable record before it promises anything.
 *   <li>{@link org.aspas.certify.signer.RecordState} is what these items amount to.
 *   <li>{@code EarlyWords} are words that count before they are ordered. {@code DoneEarly} keeps the signer from saying twice what
 *       followed from them.
 *   <li>{@code RecordStatements} says what the record holds, and when.
 *   <li>{@code RecordRelearning} is how a replica that lost its record comes back.
 * </ul>
 *
 * {@code certify.replica} holds each promise back until the record is durable. Read {@code certify.machine} first.
 */
@org.jspecify.annotations.NullMarked
package org.aspas.certify.signer;
