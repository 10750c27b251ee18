package org.aspas.certify.wire;

import org.aspas.certify.identity.Hash;

/**
 * One replica's signed word that the {@link ProvenContent} is durable with it: 2b+1 replicas accepted the content in one
 * attempt, and this replica will show that to every cold start (the protocol page, §5.5).
 *
 * @param attempt the attempt that was accepted
 */
public record Commit(int replica, CertificateNumber number, long attempt, Hash content) implements Message {
    static final Schema<Commit> SCHEMA = items -> new Commit(
            items.index(Commit::replica),
            items.certificate(Commit::number),
            items.natural(Commit::attempt),
            items.hash(Commit::content));
}
