package org.aspas.emulab.workload;

/** Chooses the operations of all clients. Thread-safe. */
public interface OperationSource {
    /**
     * The next operation.
     *
     * @param client whose it is, from 0
     */
    ChosenOperation next(int client);
}
