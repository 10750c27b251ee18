package org.aspas.emulab.console.feed;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.aspas.certify.wire.Certificate;
import org.aspas.certify.wire.CertificateContent.Exclusion;
import org.aspas.certify.wire.Codec;

/** Keeps the newest certificates and publishes each once, in the order of their numbers. Thread-safe. */
public final class RecentCertificates {
    private static final int MOST = 256;

    private final ConsoleState state;
    private final TreeMap<Long, byte[]> encoded = new TreeMap<>();
    private long newest;
    private long entries;

    public RecentCertificates(ConsoleState state) {
        this.state = state;
    }

    /**
     * Takes a certificate.
     *
     * @param by the node that holds it
     * @return whether it is newer than all earlier ones
     */
    public synchronized boolean take(Certificate certificate, String by) {
        long number = certificate.number().value();
        if (number <= newest) {
            return false;
        }
        long covered = LongStream.of(certificate.content().version().toArray()).sum();
        encoded.put(number, Codec.encode(certificate));
        if (encoded.size() > MOST) {
            encoded.pollFirstEntry();
        }
        ObjectNode event = state.timed().put("number", number).put("by", by);
        ArrayNode version = event.putArray("version");
        LongStream.of(certificate.content().version().toArray()).forEach(version::add);
        event.put("covered", covered - entries).put("entries", covered);
        ArrayNode exclusions = event.putArray("exclusions");
        for (Exclusion one : certificate.content().exclusions()) {
            exclusions.addObject().put("server", "appserver-" + one.origin()).put("cut", one.cut());
        }
        event.put("url", "api/certificates/" + number);
        newest = number;
        entries = covered;
        state.publish("certificate", event);
        return true;
    }

    /** Returns the number of the newest certificate; 0 before the first. */
    public synchronized long newest() {
        return newest;
    }

    /** Returns the encoding of a certificate; empty if it is not kept. */
    public synchronized Optional<byte[]> find(long number) {
        return Optional.ofNullable(encoded.get(number));
    }
}
