package org.aspas.emulab.workload;

/**
 * One operation as a workload has chosen it.
 *
 * @param kind what is done
 * @param object what the object is
 * @param key the object's key
 * @param element what is added to a set; empty where nothing is
 */
public record ChosenOperation(OperationKind kind, ObjectKind object, String key, String element) {}
