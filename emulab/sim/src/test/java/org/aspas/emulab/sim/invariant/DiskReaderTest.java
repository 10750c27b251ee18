package org.aspas.emulab.sim.invariant;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.aspas.appserver.core.state.Records;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.wire.Batch;
import org.aspas.certify.wire.Certificate;
import org.aspas.certify.wire.CertificateContent;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Head;
import org.aspas.certify.wire.Signed;
import org.aspas.certify.wire.SnapshotHead;
import org.aspas.crdt.clock.VersionVector;
import org.aspas.emulab.sim.model.DiskImage;
import org.junit.jupiter.api.Test;

/** What is read from the disk of appserver 0 of two, and which losses are seen. */
class DiskReaderTest {
    private static final byte[] A = {1};
    private static final byte[] B = {2};
    private static final byte[] C = {3};

    private final List<byte[]> disk = new ArrayList<>();
    private final DiskReader reader = new DiskReader(0, 2, () -> disk);

    private static byte[] batch(long size, byte[]... entries) {
        Head head = new Head(1, size, Hash.ZERO);
        return Records.batch(new Batch(new Signed<>(head, Codec.encode(head), new byte[64]), List.of(entries)));
    }

    /** A certificate of what one log of each origin is. */
    private static byte[] certificate(DiskImage logs) {
        CertificateContent content = new CertificateContent(
                Hash.ZERO,
                CertificateNumber.FIRST,
                Hash.ZERO,
                VersionVector.of(logs.size(0), logs.size(1)),
                List.of(logs.root(0, logs.size(0)), logs.root(1, logs.size(1))),
                Hash.ZERO,
                List.of());
        return Records.certificate(new Certificate(content, Codec.encode(content), List.of()));
    }

    private static DiskImage logs(byte[] own, byte[]... others) {
        DiskImage logs = new DiskImage(2);
        logs.append(0, own);
        for (byte[] other : others) {
            logs.append(1, other);
        }
        return logs;
    }

    private List<String> losses() {
        reader.catchUp();
        return reader.takeLosses();
    }

    @Test
    void batchesAddWhatIsNewInThem() {
        disk.add(Records.ownEntry(A));
        disk.add(batch(1, B));
        disk.add(batch(2, B, C));
        disk.add(certificate(logs(A, B, C)));
        assertThat(losses()).isEmpty();
        assertThat(reader.image().size(1)).isEqualTo(2);
        assertThat(reader.image().entry(1, 2)).isEqualTo(C);
    }

    @Test
    void aCertificateWithoutItsEntriesIsALoss() {
        disk.add(Records.ownEntry(A));
        disk.add(batch(1, B));
        disk.add(certificate(logs(A, C)));
        assertThat(losses()).hasSize(1);
        disk.clear();
        disk.add(batch(2, C));
        assertThat(losses()).as("a gap").hasSize(1);
    }

    @Test
    void whatIsCertifiedOrOnesOwnIsNotTakenBack() {
        disk.add(Records.ownEntry(A));
        disk.add(batch(2, B, C));
        disk.add(certificate(logs(A, B)));
        disk.add(Records.takenBack(1, 1));
        assertThat(losses()).isEmpty();
        disk.add(Records.takenBack(1, 0));
        assertThat(losses()).hasSize(1);
        disk.add(Records.takenBack(0, 0));
        assertThat(losses()).as("its own, which is certified too").hasSize(2);
    }

    @Test
    void anotherDiskIsReadFromItsStart() {
        disk.add(Records.ownEntry(A));
        disk.add(batch(1, B));
        reader.catchUp();
        disk.remove(1);
        disk.add(batch(1, C));
        reader.catchUp();
        assertThat(reader.image().size(0)).isEqualTo(1);
        assertThat(reader.image().entry(1, 1)).isEqualTo(C);
    }

    @Test
    void aSumRepeatsWhatIsBeforeItAndAStartEndsOneThatWasCutOff() {
        disk.add(Records.ownEntry(A));
        disk.add(Records.sum(1, new byte[0]));
        disk.add(Records.ownEntry(A));
        disk.add(Records.sumEnd());
        disk.add(Records.ownEntry(B));
        disk.add(Records.sum(1, new byte[0]));
        disk.add(Records.start());
        disk.add(Records.ownEntry(C));
        assertThat(losses()).isEmpty();
        assertThat(reader.image().size(0)).isEqualTo(3);
        assertThat(reader.image().entry(0, 3)).isEqualTo(C);
    }

    /** The records go on after what the base held, and what it did not hold is missed. */
    @Test
    void aBaseAheadOfTheRecordsBringsWhatIsCertified() {
        DiskImage logs = logs(A, B, C);
        disk.add(Records.ownEntry(A));
        disk.add(base(logs, 2));
        disk.add(batch(3, A));
        assertThat(losses()).isEmpty();
        assertThat(reader.image().size(1)).isEqualTo(3);
        assertThat(reader.image().entry(1, 3)).isEqualTo(A);
        disk.add(batch(5, B));
        assertThat(losses()).as("a gap").hasSize(1);
    }

    /** The record of a base at one entry of appserver 0 and some of appserver 1. */
    private static byte[] base(DiskImage logs, int others) {
        List<Hash> peaks = List.of(logs.root(1, others));
        Certificate certificate = Codec.decode(Records.body(certificate(logs)), Certificate.class)
                .accepted()
                .orElseThrow();
        byte[] head = Codec.encode(new SnapshotHead(
                certificate,
                List.of(
                        new SnapshotHead.LogEnd(List.of(logs.root(0, 1)), null),
                        new SnapshotHead.LogEnd(peaks, null))));
        return ByteBuffer.allocate(1 + Integer.BYTES + head.length)
                .put(DiskReader.BASE)
                .putInt(head.length)
                .put(head)
                .array();
    }
}
