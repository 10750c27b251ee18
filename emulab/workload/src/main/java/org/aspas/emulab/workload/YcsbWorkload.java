package org.aspas.emulab.workload;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import site.ycsb.ByteIterator;
import site.ycsb.Status;
import site.ycsb.WorkloadException;
import site.ycsb.measurements.Measurements;
import site.ycsb.workloads.CoreWorkload;

/**
 * A workload of YCSB's {@link CoreWorkload}: one record is one object. A read is a LOCAL read, an update or insert is one
 * update of the object; there is nothing to scan, and objects are not deleted.
 *
 * @param elements how many different elements a set can have, so that its size stays bounded; from 1
 */
public record YcsbWorkload(String name, ObjectKind kind, int elements, Map<String, String> properties)
        implements WorkloadDefinition {
    /** How many different elements a set can have unless told otherwise. */
    public static final int ELEMENTS = 100;

    public YcsbWorkload {
        properties = Map.copyOf(properties);
    }

    public static YcsbWorkload of(WorkloadMix mix, ObjectKind kind) {
        return new YcsbWorkload(mix.label(), kind, ELEMENTS, mix.properties());
    }

    @Override
    public String label() {
        return name + " " + kind.label();
    }

    @Override
    public int records() {
        return Integer.parseInt(properties.getOrDefault("recordcount", "0"));
    }

    @Override
    public OperationSource source(int clients, long seed) throws WorkloadException {
        Properties told = new Properties();
        // The driver counts and ends the operations, but CoreWorkload wants a number of them to be there.
        told.setProperty("operationcount", "0");
        told.putAll(properties);
        // YCSB's own measurements are a global that CoreWorkload's constructor wants to find; they are not read here.
        Measurements.setProperties(told);
        CoreWorkload workload = new CoreWorkload();
        workload.init(told);
        return new YcsbSource(workload, kind, elements, clients, seed);
    }

    /**
     * Operations chosen by YCSB's {@link CoreWorkload}. An update of a set adds one of a bounded number of elements, padded to
     * the length that YCSB would write.
     */
    private static final class YcsbSource implements OperationSource {
        /** {@link CoreWorkload} keeps no state per thread. */
        private static final Object NO_THREAD_STATE = new Object();

        private final CoreWorkload workload;
        private final ObjectKind kind;
        private final int elements;
        private final List<Random> random = new ArrayList<>();

        /**
         * A source.
         *
         * @param workload initialised
         * @param elements how many different elements a set can have, from 1
         * @param seed decides the elements
         */
        YcsbSource(CoreWorkload workload, ObjectKind kind, int elements, int clients, long seed) {
            this.workload = workload;
            this.kind = kind;
            this.elements = elements;
            for (int client = 0; client < clients; client++) {
                random.add(new Random(seed * 31 + client));
            }
        }

        @Override
        public ChosenOperation next(int client) {
            OperationCapture capture = new OperationCapture();
            workload.doTransaction(capture, NO_THREAD_STATE);
            boolean adds = kind == ObjectKind.SETS && capture.kind() != OperationKind.READ;
            return new ChosenOperation(
                    capture.kind(),
                    kind,
                    kind.objectKey(capture.key()),
                    adds
                            ? Elements.padded("e" + random.get(client).nextInt(elements), (int) capture.valueBytes())
                            : "");
        }
    }

    /**
     * A database for YCSB's workload that does nothing and remembers what it was asked for: one transaction of the workload,
     * which a client then carries out without YCSB's thread waiting for it.
     */
    private static final class OperationCapture extends RecordDb {
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
}
