package org.aspas.emulab.sim.invariant;

import org.aspas.client.core.CallId;
import org.aspas.crdt.value.Operation;

/**
 * One update of a correct client.
 *
 * @param call its client's name for it: rises with each call
 */
public record ClientUpdate(int client, CallId call, String key, String type, Operation operation) {}
