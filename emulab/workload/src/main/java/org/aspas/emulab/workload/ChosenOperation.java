package org.aspas.emulab.workload;

/**
 * One operation as a workload has chosen it.
 *
 * @param element what is added to a set; empty where nothing is
 */
public record ChosenOperation(OperationKind kind, ObjectKind object, String key, String element) {}
