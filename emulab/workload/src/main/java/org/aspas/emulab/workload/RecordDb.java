package org.aspas.emulab.workload;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.Vector;
import org.jspecify.annotations.Nullable;
import site.ycsb.ByteIterator;
import site.ycsb.DB;
import site.ycsb.Status;

/**
 * What YCSB may ask of a store of counters and sets: to read and to update a record. One record is one object, which comes into
 * being with its first update; there is nothing to scan, and objects are not deleted.
 */
public abstract class RecordDb extends DB {
    /** The same as {@link #update}. */
    @Override
    public final Status insert(String table, String key, Map<String, ByteIterator> values) {
        return update(table, key, values);
    }

    @Override
    public final Status scan(
            String table,
            String startKey,
            int count,
            @Nullable Set<String> fields,
            @Nullable Vector<HashMap<String, ByteIterator>> result) {
        return Status.NOT_IMPLEMENTED;
    }

    @Override
    public final Status delete(String table, String key) {
        return Status.NOT_IMPLEMENTED;
    }

    protected static long bytes(Map<String, ByteIterator> values) {
        return values.values().stream().mapToLong(ByteIterator::bytesLeft).sum();
    }
}
