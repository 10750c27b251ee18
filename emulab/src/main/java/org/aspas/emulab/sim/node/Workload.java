package org.aspas.emulab.sim.node;

import org.aspas.client.core.Event;
import org.aspas.crdt.type.DataTypes;
import org.aspas.crdt.value.Operation;
import org.aspas.crdt.value.Value;
import org.aspas.emulab.sim.engine.Chance;
import org.aspas.emulab.sim.invariant.ClientUpdate;

/**
 * What the application of a correct client does: it counts on a counter of its own, adds fresh elements to a set of its
 * own, and works on a counter and a set that all share.
 */
public final class Workload {
    /** The counter that all share. */
    public static final String SHARED_COUNTER = "counter/all";

    /** The set that all share. */
    public static final String SHARED_SET = "set/all";

    private static final int SHARED_ELEMENTS = 12;

    private final int client;
    private final Chance chance;

    /** The workload of one client. */
    public Workload(int client, Chance chance) {
        this.client = client;
        this.chance = chance;
    }

    /** Whether the next thing to do is a read. */
    boolean reads() {
        return chance.happens(0.1);
    }

    /** The next read. */
    Event.ReadAsked read(long ticket) {
        boolean counter = chance.happens(0.5);
        boolean shared = chance.happens(0.5);
        String key = (counter ? "counter/" : "set/") + (shared ? "all" : String.valueOf(client));
        String type = counter ? DataTypes.PN_COUNTER.name() : DataTypes.AW_SET.name();
        return new Event.ReadAsked(ticket, key, type, chance.happens(0.5));
    }

    /** The next update. */
    ClientUpdate update(long ticket) {
        double choice = chance.fraction();
        if (choice < 0.45) {
            return counter(ticket, "counter/" + client);
        }
        if (choice < 0.65) {
            return set(ticket, "set/" + client, "add", Value.of("element " + ticket));
        }
        if (choice < 0.75) {
            return counter(ticket, SHARED_COUNTER);
        }
        Value element = Value.of("element " + chance.index(SHARED_ELEMENTS));
        return set(ticket, SHARED_SET, choice < 0.9 ? "add" : "remove", element);
    }

    private ClientUpdate counter(long ticket, String key) {
        return new ClientUpdate(
                client, ticket, key, DataTypes.PN_COUNTER.name(), Operation.of("increment", Value.of(1)));
    }

    private ClientUpdate set(long ticket, String key, String operation, Value element) {
        return new ClientUpdate(client, ticket, key, DataTypes.AW_SET.name(), Operation.of(operation, element));
    }
}
