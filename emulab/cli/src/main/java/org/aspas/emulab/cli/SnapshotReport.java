package org.aspas.emulab.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.Arrays;
import java.util.Locale;
import org.aspas.appserver.core.certification.SnapshotCheck;
import org.aspas.appserver.core.object.CertifiedState;
import org.aspas.certify.identity.Descriptor;
import org.aspas.certify.wire.Certificate;

/**
 * What a verified snapshot holds, for people and programs.
 *
 * @param entries how many entries it covers, of all origins
 * @param clients of how many clients it holds a record
 * @param bytes how many bytes its parts have, encoded
 * @param seconds how long it took to get and verify all
 */
record SnapshotReport(
        Certificate certificate, long entries, long objects, long clients, long parts, long bytes, double seconds) {
    private static final double MEGABYTE = 1e6;
    private static final double NANOS = 1e9;

    /**
     * Of a snapshot that is complete.
     *
     * @param begun the nano time of its beginning
     * @throws SnapshotCheck.WrongSnapshot when its parts together are not what is certified
     */
    static SnapshotReport of(SnapshotCheck check, long bytes, long begun) throws SnapshotCheck.WrongSnapshot {
        CertifiedState state = check.state();
        return new SnapshotReport(
                check.certificate(),
                Arrays.stream(check.certificate().content().version().toArray()).sum(),
                state.objectCount(),
                state.clientCount(),
                check.chunks(),
                bytes,
                (System.nanoTime() - begun) / NANOS);
    }

    ObjectNode json(Descriptor descriptor) {
        ObjectNode out = new ObjectMapper().createObjectNode();
        out.put("valid", true);
        out.put("deployment", descriptor.id().toString());
        out.put("name", descriptor.name());
        out.put("certificate", certificate.number().value());
        out.put("hash", certificate.hash().toString());
        out.put("entries", entries);
        out.put("objects", objects);
        out.put("clients", clients);
        out.put("parts", parts);
        out.put("bytes", bytes);
        out.put("seconds", seconds);
        out.put("objects_per_second", objects / seconds);
        out.put("megabytes_per_second", bytes / MEGABYTE / seconds);
        return out;
    }

    String words() {
        String rates = bytes < MEGABYTE || seconds < 1
                ? ""
                : String.format(
                        Locale.ROOT, " (%.0f objects/s, %.1f MB/s)", objects / seconds, bytes / MEGABYTE / seconds);
        return String.format(
                Locale.ROOT,
                "certificate %s: %s and the records of %s, of %s; %s in %s, verified in %.2f s%s",
                certificate.number(),
                Words.count(objects, "object"),
                Words.count(clients, "client"),
                Words.count(entries, "entry", "entries"),
                Words.count(bytes, "byte"),
                Words.count(parts, "part"),
                seconds,
                rates);
    }

    void print(JsonOption option, Descriptor descriptor) throws IOException {
        if (option.wanted()) {
            option.print(json(descriptor));
        } else {
            option.out().println(words());
        }
    }
}
