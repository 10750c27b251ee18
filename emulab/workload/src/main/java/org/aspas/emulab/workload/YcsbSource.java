package org.aspas.emulab.workload;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import site.ycsb.workloads.CoreWorkload;

/**
 * Operations chosen by YCSB's {@link CoreWorkload}. An update of a set adds one of a bounded number of elements, padded to
 * the length that YCSB would write.
 */
final class YcsbSource implements OperationSource {
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
                adds ? Elements.padded("e" + random.get(client).nextInt(elements), (int) capture.valueBytes()) : "");
    }
}
