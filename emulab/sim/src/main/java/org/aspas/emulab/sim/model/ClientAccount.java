package org.aspas.emulab.sim.model;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.aspas.certify.identity.ClientId;
import org.aspas.certify.message.OpenSession;

/** What is certified of one client (docs/formats.md §6). For one thread. */
final class ClientAccount {
    /** An entry is another place of a counted update if its number is less than this below the highest certified one. */
    private static final long REMEMBERED = 1024;

    private final ClientId client;
    private final Map<Long, CountedUpdate> counted = new LinkedHashMap<>();
    private long session;
    private long tolerance;
    private long highest;
    private long highestBefore;
    private byte[] chain = Sha256.ZERO;

    ClientAccount(ClientId client) {
        this.client = client;
    }

    Optional<CountedUpdate> counted(long number) {
        return Optional.ofNullable(counted.get(number));
    }

    Map<Long, CountedUpdate> all() {
        return counted;
    }

    /** Of several sessions the one with the highest number stands; of several with that number the first. */
    void open(OpenSession opened) {
        if (opened.number() > session) {
            session = opened.number();
            tolerance = opened.tolerance();
        }
    }

    void count(CountedUpdate update) {
        long number = update.request().number();
        counted.put(number, update);
        highest = Math.max(highest, number);
        chain = link(chain, update);
    }

    /** Whether another entry with a counted update's words is a further place of it, in a certificate. */
    boolean remembers(CountedUpdate update, long certificate) {
        return update.certificate() == certificate || update.request().number() > highestBefore - REMEMBERED;
    }

    /** Ends a certificate. */
    void settle() {
        highestBefore = highest;
    }

    private static byte[] link(byte[] before, CountedUpdate update) {
        return Sha256.named(
                "counted",
                new Cbor()
                        .array(3)
                        .string(before)
                        .integer(update.request().number())
                        .dot(update.dot())
                        .bytes());
    }

    byte[] path() {
        return Sha256.named("client-path", client.key().toBytes());
    }

    byte[] leaf() {
        return leaf(counted.size(), highest, chain);
    }

    /** The leaf, from all counted updates at once. */
    byte[] leafFromScratch() {
        byte[] links = Sha256.ZERO;
        long most = 0;
        for (CountedUpdate update : counted.values()) {
            links = link(links, update);
            most = Math.max(most, update.request().number());
        }
        return leaf(counted.size(), most, links);
    }

    private byte[] leaf(long count, long most, byte[] links) {
        return Sha256.named(
                "client-leaf",
                new Cbor()
                        .array(6)
                        .string(client.key().toBytes())
                        .integer(session)
                        .integer(tolerance)
                        .integer(count)
                        .integer(most)
                        .string(links)
                        .bytes());
    }
}
