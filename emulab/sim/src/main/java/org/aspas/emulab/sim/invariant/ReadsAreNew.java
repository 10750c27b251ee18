package org.aspas.emulab.sim.invariant;

import java.util.HashMap;
import java.util.Map;
import org.aspas.client.core.CallId;
import org.aspas.client.core.Effect;
import org.aspas.client.core.Event;

/**
 * G9 for who reads: what a client saw certified before it asked is in what it reads. No certified read is of an older certificate than one
 * that confirmed an update of this client, or that it read from, before it asked.
 */
final class ReadsAreNew extends Invariant {
    private record Asked(int client, CallId call) {}

    private final Map<Integer, Long> seen = new HashMap<>();
    private final Map<Asked, Long> floors = new HashMap<>();

    ReadsAreNew() {
        super("G9");
    }

    private void sees(int client, long certificate) {
        seen.merge(client, certificate, Math::max);
    }

    @Override
    public void onConfirmed(ClientUpdate update, Effect.Confirmed confirmed) {
        sees(update.client(), confirmed.certificate().number().value());
    }

    @Override
    public void onReadAsked(int client, Event.ReadAsked asked) {
        floors.put(new Asked(client, asked.call()), seen.getOrDefault(client, 0L));
    }

    @Override
    public void onReadDone(int client, Event.ReadAsked asked, Effect.ReadDone done) {
        Long floor = floors.remove(new Asked(client, asked.call()));
        if (!asked.certified()) {
            return;
        }
        if (floor != null && done.certificateNumber().value() < floor) {
            violated("client " + client + " read " + asked.key() + " of certificate " + done.certificateNumber()
                    + ", after it had seen certificate " + floor);
        }
        sees(client, done.certificateNumber().value());
    }

    /** Its record may be an older one. */
    @Override
    public void onRestarted(int client) {
        seen.remove(client);
        floors.keySet().removeIf(asked -> asked.client() == client);
    }
}
