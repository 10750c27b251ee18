package org.aspas.certify.wire;

import org.aspas.certify.identity.Hash;
import org.jspecify.annotations.Nullable;

/**
 * What one replica's durable record holds, signed and ordered when the replica starts and whenever another one asks (the
 * protocol page, §5.5).
 *
 * @param start drawn at random when the replica's process started: names this life of the replica
 * @param answers the {@code start} of the replica that asked to be taught; {@code Hash.ZERO} when nobody did
 * @param knowing whether the record reaches back to the replica's first day, by itself or because others taught it
 * @param epoch the highest epoch that the record names, of those that were opened and those in which the replica asked; 0 for
 *     none
 * @param number the number of the content that the statement is about: usually the newest in which the record holds anything;
 *     0 for none
 * @param attempt the highest attempt of that number in which anything was accepted or committed; 0 for none
 * @param proven the proven content with the highest number that the record holds; absent for none
 */
public record Recover(
        int replica,
        Hash start,
        Hash answers,
        boolean knowing,
        Epoch epoch,
        CertificateNumber number,
        long attempt,
        @Nullable ProvenContent proven)
        implements Message {
    static final Schema<Recover> SCHEMA = items -> new Recover(
            items.index(Recover::replica),
            items.hash(Recover::start),
            items.hash(Recover::answers),
            items.bool(Recover::knowing),
            items.epoch(Recover::epoch),
            items.certificate(Recover::number),
            items.natural(Recover::attempt),
            items.optional(ProvenContent.ITEM, Recover::proven));
}
