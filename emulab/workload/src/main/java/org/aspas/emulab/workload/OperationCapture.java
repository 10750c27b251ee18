package org.aspas.emulab.workload;

import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import site.ycsb.ByteIterator;
import site.ycsb.Status;

/**
 * A database for YCSB's workload that does nothing and remembers what it was asked for: one transaction of the workload,
 * which a client then carries out without YCSB's thread waiting for it.
 */
final class OperationCapture extends RecordDb {
    private @Nullable String record;
    private boolean reading;
    private boolean writing;
    private long valueBytes;

    @Override
    public Status read(
            String table, String key, @Nullable Set<String> fields, @Nullable Map<String, ByteIterator> result) {
        record = key;
        reading = true;
        return Status.OK;
    }

    @Override
    public Status update(String table, String key, Map<String, ByteIterator> values) {
        record = key;
        writing = true;
        valueBytes = bytes(values);
        return Status.OK;
    }

    String key() {
        if (record == null) {
            throw new IllegalStateException("YCSB's workload has asked for nothing that this database can do");
        }
        return record;
    }

    OperationKind kind() {
        return !writing ? OperationKind.READ : reading ? OperationKind.READ_MODIFY_WRITE : OperationKind.UPDATE;
    }

    long valueBytes() {
        return valueBytes;
    }
}
