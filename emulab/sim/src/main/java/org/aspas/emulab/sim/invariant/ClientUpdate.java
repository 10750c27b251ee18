package org.aspas.emulab.sim.invariant;

import org.aspas.crdt.value.Operation;

/**
 * One update of a correct client.
 *
 * @param client the client's index
 * @param ticket its number among the client's updates, in the order of submission
 * @param key the object
 * @param type the object's datatype
 * @param operation what to do
 */
public record ClientUpdate(int client, long ticket, String key, String type, Operation operation) {}
