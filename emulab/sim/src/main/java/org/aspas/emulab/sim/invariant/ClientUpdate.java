package org.aspas.emulab.sim.invariant;

import org.aspas.client.core.port.CallId;
import org.aspas.crdt.value.Operation;

/**
 * One update of a correct client.
 *
 * @param client the client's index
 * @param call its client's name for it: rises with each call
 * @param key the object
 * @param type the object's datatype
 * @param operation what to do
 */
public record ClientUpdate(int client, CallId call, String key, String type, Operation operation) {}
