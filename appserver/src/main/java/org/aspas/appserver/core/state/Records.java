package org.aspas.appserver.core.state;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.aspas.certify.log.ConsistencyProof;
import org.aspas.certify.wire.Batch;
import org.aspas.certify.wire.Blacklist;
import org.aspas.certify.wire.Certificate;
import org.aspas.certify.wire.CertifiedEntries;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Evidence;
import org.aspas.certify.wire.SnapshotChunk;
import org.aspas.certify.wire.SnapshotHead;

/** The records of the stable store: one byte that says what follows, and its encoding. For the core's parts. */
public final class Records {
    /** An encoded entry of this server. */
    public static final byte OWN_ENTRY = 1;
    /** An encoded Batch, of which what is new was taken. */
    public static final byte BATCH = 2;
    /** An encoded Certificate, adopted. */
    public static final byte CERTIFICATE = 3;
    /** The process started; nothing follows. */
    public static final byte START = 4;
    /** An encoded Certificate, whose exclusions were carried out. */
    public static final byte EXCLUSION = 7;
    /** Origin (4 bytes, big-endian) and kept size (8): the end of a log was taken back. */
    public static final byte TAKEN_BACK = 8;
    /** Encoded evidence. */
    public static final byte EVIDENCE = 9;
    /** An encoded CertifiedEntries, all of it new. */
    public static final byte CERTIFIED_ENTRIES = 10;
    /** A reason (UTF-8): from here on the server is amnesiac, and own entries come from others. */
    public static final byte AMNESIAC = 11;

    /** An encoded SnapshotHead: from here on chunks are of this snapshot. */
    public static final byte SNAPSHOT_HEAD = 16;
    /** An encoded SnapshotChunk, which was verified. With the last one the snapshot is installed. */
    public static final byte SNAPSHOT_CHUNK = 17;
    /** An encoded Certificate, the snapshot of which was installed. */
    public static final byte SNAPSHOT_INSTALLED = 18;

    /**
     * An encoded Certificate of another deployment: this one begins with the state that it certified, which follows as a
     * snapshot. Only the first record may be one.
     */
    public static final byte FOUNDED_FROM = 24;

    /**
     * Number of starts (8 bytes, big-endian), and what a base keeps beside its leaves at the newest certificate (docs/formats.md, §19): with a
     * base there, what follows up to {@link #SUM_END} says the same as all records before.
     */
    public static final byte SUM = 19;
    /** The sum is whole; nothing follows. */
    public static final byte SUM_END = 20;
    /** An encoded Blacklist: a client who is refused for good, for evidence that is forgotten. */
    public static final byte REFUSED = 21;

    private Records() {}

    public static byte[] ownEntry(byte[] encodedEntry) {
        return record(OWN_ENTRY, encodedEntry);
    }

    public static byte[] batch(Batch batch) {
        return record(BATCH, Codec.encode(batch));
    }

    /**
     * The record of certified entries of another origin.
     *
     * @param held how many of the origin were held before, of which some may be among them
     */
    public static byte[] certifiedEntries(CertifiedEntries sent, long held) {
        int known = (int) (held - sent.before().oldSize());
        CertifiedEntries fresh = new CertifiedEntries(
                sent.origin(),
                sent.root(),
                new ConsistencyProof(held, sent.before().newSize(), List.of()),
                sent.entries().subList(known, sent.entries().size()),
                sent.after());
        return record(CERTIFIED_ENTRIES, Codec.encode(fresh));
    }

    public static byte[] certificate(Certificate certificate) {
        return record(CERTIFICATE, Codec.encode(certificate));
    }

    /** The record of exclusions that were carried out, before the certificate that orders them is adopted. */
    public static byte[] exclusion(Certificate certificate) {
        return record(EXCLUSION, Codec.encode(certificate));
    }

    public static byte[] snapshotHead(SnapshotHead head) {
        return record(SNAPSHOT_HEAD, Codec.encode(head));
    }

    public static byte[] snapshotChunk(SnapshotChunk chunk) {
        return record(SNAPSHOT_CHUNK, Codec.encode(chunk));
    }

    public static byte[] snapshotInstalled(Certificate certificate) {
        return record(SNAPSHOT_INSTALLED, Codec.encode(certificate));
    }

    /** The record that the deployment begins with what a certificate of another one certified. */
    public static byte[] foundedFrom(Certificate certificate) {
        return record(FOUNDED_FROM, Codec.encode(certificate));
    }

    public static byte[] sum(long starts, byte[] head) {
        return record(
                SUM,
                ByteBuffer.allocate(Long.BYTES + head.length)
                        .putLong(starts)
                        .put(head)
                        .array());
    }

    public static byte[] sumEnd() {
        return record(SUM_END, new byte[0]);
    }

    public static byte[] refused(Blacklist word) {
        return record(REFUSED, Codec.encode(word));
    }

    public static byte[] evidence(Evidence evidence) {
        return record(EVIDENCE, Codec.encode(evidence));
    }

    /** The record that the end of an origin's log was taken back, to be replaced by what is certified. */
    public static byte[] takenBack(int origin, long kept) {
        return record(
                TAKEN_BACK,
                ByteBuffer.allocate(Integer.BYTES + Long.BYTES)
                        .putInt(origin)
                        .putLong(kept)
                        .array());
    }

    /** The record of a start, which makes the numbers of later answers higher than those of earlier ones. */
    public static byte[] start() {
        return record(START, new byte[0]);
    }

    public static byte[] amnesiac(String reason) {
        return record(AMNESIAC, reason.getBytes(StandardCharsets.UTF_8));
    }

    /** Whether a record is a step of a log's repair: its end was taken back, or certified entries came in its place. */
    public static boolean repairs(byte[] record) {
        return record.length > 0 && (record[0] == TAKEN_BACK || record[0] == CERTIFIED_ENTRIES);
    }

    /** What follows the first byte. */
    public static byte[] body(byte[] record) {
        return Arrays.copyOfRange(record, 1, record.length);
    }

    private static byte[] record(byte tag, byte[] body) {
        byte[] record = new byte[body.length + 1];
        record[0] = tag;
        System.arraycopy(body, 0, record, 1, body.length);
        return record;
    }
}
