package org.aspas.certify.wire;

import org.aspas.certify.identity.Hash;

/**
 * One replica's signed word that the content is durable with it (the protocol page, §5.5).
 *
 * @param attempt from 1; a new attempt replaces an unsigned older one after a cold start
 */
public record Accept(int replica, CertificateNumber number, long attempt, Hash content) implements Message {
    static final Item<Signed<Accept>> SIGNED = Item.signed(Accept.class);

    static final Schema<Accept> SCHEMA = items -> new Accept(
            items.index(Accept::replica),
            items.certificate(Accept::number),
            items.natural(Accept::attempt),
            items.hash(Accept::content));
}
