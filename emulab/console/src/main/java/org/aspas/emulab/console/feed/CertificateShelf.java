package org.aspas.emulab.console.feed;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.aspas.certify.wire.Certificate;
import org.aspas.certify.wire.CertificateContent.Exclusion;
import org.aspas.certify.wire.Codec;

/** The newest certificates, each published once, in the order of their numbers. Thread-safe. */
public final class CertificateShelf {
    private static final int MOST = 256;

    private final ConsoleState state;
    private final TreeMap<Long, byte[]> encoded = new TreeMap<>();
    private long newest;
    private long entries;

    public CertificateShelf(ConsoleState state) {
        this.state = state;
    }

    /**
     * Takes a certificate.
     *
     * @param by who has it
     * @return whether it is newer than all before
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

    /** The number of the newest; 0 before the first. */
    public synchronized long newest() {
        return newest;
    }

    /** The encoding of one; empty when it is not here. */
    public synchronized Optional<byte[]> find(long number) {
        return Optional.ofNullable(encoded.get(number));
    }
}
