package org.aspas.appserver.store;

import java.util.Map;
import java.util.Optional;
import org.aspas.appserver.core.step.Records;

/** What the kinds of an appserver's records are called, for people. */
final class RecordKinds {
    private static final Map<Byte, String> NAMES = Map.ofEntries(
            Map.entry(Records.OWN_ENTRY, "own entries"),
            Map.entry(Records.BATCH, "batches"),
            Map.entry(Records.CERTIFICATE, "certificates"),
            Map.entry(Records.START, "starts"),
            Map.entry(Records.EXCLUSION, "exclusions"),
            Map.entry(Records.TAKEN_BACK, "taken back"),
            Map.entry(Records.EVIDENCE, "evidence"),
            Map.entry(Records.CERTIFIED_ENTRIES, "certified entries"),
            Map.entry(Records.AMNESIAC, "amnesia"),
            Map.entry(Records.SNAPSHOT_HEAD, "snapshots begun"),
            Map.entry(Records.SNAPSHOT_CHUNK, "snapshot parts"),
            Map.entry(Records.SNAPSHOT_INSTALLED, "snapshots installed"),
            Map.entry(Records.FOUNDED_FROM, "state of another deployment"),
            Map.entry(Records.SUM, "sums"),
            Map.entry(Records.SUM_END, "ends of sums"),
            Map.entry(Records.REFUSED, "refused clients"),
            Map.entry(ShellRecord.FOUNDED, "founded"),
            Map.entry(ShellRecord.RUN, "runs"),
            Map.entry(ShellRecord.ENDED, "ends"));

    private RecordKinds() {}

    /** The name of a record's kind; empty for bytes that are no record of an appserver. */
    static Optional<String> name(byte[] record) {
        return record.length == 0 ? Optional.empty() : Optional.ofNullable(NAMES.get(record[0]));
    }
}
