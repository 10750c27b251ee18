package org.aspas.emulab.workload;

import java.util.Map;
import java.util.Properties;
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
}
