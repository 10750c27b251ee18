package org.aspas.emulab.sim.invariant;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.aspas.appserver.core.state.Records;
import org.aspas.certify.wire.Batch;
import org.aspas.certify.wire.Certificate;
import org.aspas.certify.wire.CertificateContent;
import org.aspas.certify.wire.CertificateContent.Exclusion;
import org.aspas.certify.wire.CertifiedEntries;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Message;
import org.aspas.certify.wire.SnapshotHead;
import org.aspas.emulab.sim.model.DiskImage;
import org.jspecify.annotations.Nullable;

/**
 * Reads what became durable on one appserver's disk, record by record, into the logs that a restart would find there. It
 * decodes records, and leaves the entries in them as bytes.
 */
final class DiskReader {
    /** No record of an appserver ({@code node.ServerDisks.LOADED}). */
    static final byte BASE = 127;

    private final int server;
    private final int origins;
    private final Supplier<List<byte[]>> records;
    private final List<String> losses = new ArrayList<>();
    private DiskImage image;
    private int read;
    private boolean summing;
    private byte @Nullable [] last;
    private @Nullable CertificateContent adopted;
    private @Nullable SnapshotHead snapshot;

    /**
     * A reader that has read nothing.
     *
     * @param records what is durable on the disk now
     */
    DiskReader(int server, int origins, Supplier<List<byte[]>> records) {
        this.server = server;
        this.origins = origins;
        this.records = records;
        this.image = new DiskImage(origins);
    }

    /** The logs on the disk, as far as they were read. */
    DiskImage image() {
        return image;
    }

    /** The newest certificate on the disk. */
    Optional<CertificateContent> adopted() {
        return Optional.ofNullable(adopted);
    }

    /** What was lost since this was asked last, one sentence each: of what is certified, or acknowledged. */
    List<String> takeLosses() {
        List<String> taken = List.copyOf(losses);
        losses.clear();
        return taken;
    }

    /** Reads what is new; from the start, when the disk is another one than before. */
    void catchUp() {
        List<byte[]> now = records.get();
        if (read > now.size() || (read > 0 && now.get(read - 1) != last)) {
            image = new DiskImage(origins);
            adopted = null;
            summing = false;
            read = 0;
        }
        while (read < now.size()) {
            last = now.get(read++);
            take(last);
        }
    }

    private void take(byte[] record) {
        // A sum repeats what is before it, which is in the base when it goes from the disk; a start comes after the sum
        // that a crash cut off.
        summing = record[0] == Records.SUM || (summing && record[0] != Records.SUM_END && record[0] != Records.START);
        if (summing) {
            return;
        }
        byte[] body = Arrays.copyOfRange(record, 1, record.length);
        switch (record[0]) {
            case Records.OWN_ENTRY -> image.append(server, body);
            case Records.BATCH -> {
                Batch batch = decoded(body, Batch.class);
                long first = batch.head().message().size() - batch.entries().size() + 1;
                extend(batch.head().message().origin(), first, batch.entries());
            }
            case Records.CERTIFIED_ENTRIES -> {
                CertifiedEntries sent = decoded(body, CertifiedEntries.class);
                extend(sent.origin(), sent.before().oldSize() + 1, sent.entries());
            }
            case Records.CERTIFICATE -> adopt(decoded(body, Certificate.class).content());
            case Records.EXCLUSION ->
                decoded(body, Certificate.class).content().exclusions().stream()
                        .filter(one -> one.origin() != server)
                        .forEach(this::cut);
            case Records.TAKEN_BACK -> {
                ByteBuffer taken = ByteBuffer.wrap(body);
                truncate(taken.getInt(), taken.getLong());
            }
            case BASE -> base(body);
            case Records.SNAPSHOT_HEAD -> snapshot = decoded(body, SnapshotHead.class);
            case Records.SNAPSHOT_INSTALLED ->
                install(decoded(body, Certificate.class).content());
            default -> {
                // Starts and evidence have no entries.
            }
        }
    }

    private static <M extends Message> M decoded(byte[] body, Class<M> type) {
        return Codec.decode(body, type)
                .accepted()
                .orElseThrow(() -> new IllegalStateException("a disk holds a malformed " + type.getSimpleName()));
    }

    private void extend(int origin, long first, List<byte[]> entries) {
        long sequence = first;
        for (byte[] entry : entries) {
            if (sequence == image.size(origin) + 1) {
                image.append(origin, entry);
            } else if (sequence > image.size(origin)) {
                losses.add("the disk of appserver " + server + " lacks entries of appserver " + origin + " before "
                        + sequence);
                return;
            }
            sequence++;
        }
    }

    /** What a base held when a process started from it, which is ahead of the records or behind them (docs/formats.md, §19). */
    private void base(byte[] body) {
        ByteBuffer in = ByteBuffer.wrap(body);
        byte[] head = new byte[in.getInt()];
        in.get(head);
        SnapshotHead held = decoded(head, SnapshotHead.class);
        Certificate certificate = held.certificate();
        CertificateContent newest = adopted;
        if (certificate != null && (newest == null || certificate.number().isAfter(newest.number()))) {
            snapshot = held;
            install(certificate.content());
        }
    }

    /** The logs that do not lead to a snapshot go on from it. */
    private void install(CertificateContent content) {
        SnapshotHead head = snapshot;
        for (int origin = 0; head != null && origin < origins; origin++) {
            if (!image.holds(content, origin)) {
                if (origin == server && image.size(origin) > content.version().get(origin)) {
                    losses.add("appserver " + server + " took entries of its own back for a snapshot");
                }
                image.restart(
                        origin,
                        content.version().get(origin),
                        head.logs().get(origin).peaks());
            }
        }
        adopt(content);
    }

    private void adopt(CertificateContent content) {
        if (!image.holds(content)) {
            losses.add("the disk of appserver " + server + " has certificate " + content.number()
                    + ", and not the entries that it certifies");
        }
        adopted = content;
    }

    private void cut(Exclusion one) {
        truncate(one.origin(), one.cut());
    }

    private void truncate(int origin, long kept) {
        CertificateContent newest = adopted;
        if (image.size(origin) > kept && origin == server) {
            losses.add("appserver " + server + " took entries of its own back, after " + kept);
        }
        if (newest != null && kept < newest.version().get(origin)) {
            losses.add(
                    "appserver " + server + " took certified entries of appserver " + origin + " back, after " + kept);
        }
        image.truncate(origin, kept);
    }
}
