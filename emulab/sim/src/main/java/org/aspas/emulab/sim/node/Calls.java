package org.aspas.emulab.sim.node;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.wire.Frame;
import org.aspas.certify.wire.OpenSession;
import org.aspas.certify.wire.Request;
import org.aspas.certify.wire.RequestName;
import org.aspas.client.core.CallId;
import org.aspas.client.core.ClientEvent;
import org.aspas.client.core.ClientState;
import org.aspas.client.core.Effect;
import org.aspas.client.core.Event;
import org.aspas.client.core.Failure;
import org.aspas.emulab.sim.invariant.ClientUpdate;
import org.aspas.emulab.sim.invariant.Fact;
import org.jspecify.annotations.Nullable;

/**
 * The calls of one client that have not come to an end: its reads, and its updates by call and by number, through all its lives: a client that
 * goes on from its record knows them by their numbers only.
 */
final class Calls {
    private static final class Open {
        final ClientUpdate update;
        final long since;

        @Nullable
        RequestName name;

        Open(ClientUpdate update, long since) {
            this.update = update;
            this.since = since;
        }
    }

    private final World world;
    private final int client;
    private final String name;
    private final Figures figures;
    private final Map<CallId, Event.ReadAsked> reads = new HashMap<>();
    private final Map<CallId, Open> byCall = new LinkedHashMap<>();
    private final Map<RequestName, Open> byName = new LinkedHashMap<>();

    Calls(World world, int client, String name, Figures figures) {
        this.name = name;
        this.world = world;
        this.client = client;
        this.figures = figures;
    }

    void submitted(ClientUpdate update) {
        figures.submitted();
        byCall.put(update.call(), new Open(update, world.timeline().now()));
        world.monitor().check(new Fact.Submitted(update));
    }

    void asked(Event.ReadAsked read) {
        reads.put(read.call(), read);
        world.monitor().check(new Fact.ReadAsked(client, read));
    }

    private void readDone(Effect.ReadDone done) {
        figures.read();
        Event.ReadAsked asked = reads.remove(done.call());
        if (asked != null) {
            world.monitor().check(new Fact.ReadDone(client, asked, done));
        }
    }

    /** A frame leaves for the client's server, while its disk holds this record; null for a client without a disk. */
    void sent(Frame frame, @Nullable ClientState saved) {
        if (frame instanceof Frame.Sealed sealed) {
            if (sealed.signed().message() instanceof Request request) {
                Hash identity = sealed.signed().identity();
                boolean durable = saved == null
                        || saved.unconfirmed().stream()
                                .anyMatch(one -> one.identity().equals(identity));
                world.monitor().check(new Fact.RequestSent(client, request, durable));
            } else if (sealed.signed().message() instanceof OpenSession record) {
                world.monitor().check(new Fact.SessionRecordSent(client, record));
            }
        }
    }

    /** Takes what the core says of a call; nothing else. */
    void take(Effect effect) {
        if (effect instanceof Effect.Entered entered) {
            entered(entered);
        } else if (effect instanceof Effect.Answered answered) {
            answered(answered);
        } else if (effect instanceof Effect.Confirmed confirmed) {
            confirmed(confirmed);
        } else if (effect instanceof Effect.MayTakeEffect doubtful) {
            mayTakeEffect(doubtful);
        } else if (effect instanceof Effect.ReadDone done) {
            readDone(done);
        } else if (effect instanceof Effect.Failed failed) {
            failed(failed.call(), failed.failure());
        }
    }

    /** Takes what the core says unasked. */
    void happened(ClientEvent event) {
        if (!(event instanceof ClientEvent.Confirmed)) {
            world.trace().remark(world.timeline().now(), name, event.toString());
        }
        if (event instanceof ClientEvent.Convicted convicted) {
            world.monitor().check(new Fact.Blamed(client, convicted.server()));
        } else if (event instanceof ClientEvent.WithoutEffect without) {
            world.monitor().check(new Fact.WithoutEffect(client, without));
        }
    }

    private void entered(Effect.Entered entered) {
        Open open = byCall.get(entered.call());
        if (open != null) {
            RequestName given = new RequestName(entered.client(), entered.number());
            open.name = given;
            byName.put(given, open);
            world.monitor().check(new Fact.Entered(open.update, given));
        }
    }

    private void answered(Effect.Answered answered) {
        RequestName name = new RequestName(answered.client(), answered.number());
        Open open = byName.get(name);
        if (open != null) {
            figures.answered(world.timeline().now() - open.since);
            world.monitor().check(new Fact.Answered(open.update, name, answered));
        }
    }

    private void confirmed(Effect.Confirmed confirmed) {
        RequestName name = new RequestName(confirmed.client(), confirmed.number());
        Open open = byName.remove(name);
        if (open == null) {
            world.monitor().check(new Fact.OthersConfirmed(client, name));
        } else {
            byCall.remove(open.update.call());
            figures.confirmed(world.timeline().now() - open.since);
            world.monitor().check(new Fact.Confirmed(open.update, name, confirmed));
        }
    }

    /** The client came back on another record than the one that it had written: it follows what this one holds. */
    void forgotten(ClientState record) {
        Set<RequestName> held = record.unconfirmed().stream()
                .map(signed -> RequestName.of((Request) signed.message()))
                .collect(Collectors.toSet());
        world.monitor().check(new Fact.RecordReplaced(client, held));
        for (Map.Entry<RequestName, Open> one : List.copyOf(byName.entrySet())) {
            RequestName name = one.getKey();
            if (!held.contains(name)) {
                Open open = one.getValue();
                byName.remove(name);
                byCall.remove(open.update.call());
                figures.forgotten();
                world.monitor().check(new Fact.SignedUpdateForgotten(open.update, name));
            }
        }
    }

    private void mayTakeEffect(Effect.MayTakeEffect doubtful) {
        Open open = byName.get(new RequestName(doubtful.client(), doubtful.number()));
        if (open != null) {
            world.monitor().check(new Fact.MayTakeEffect(open.update, doubtful.why()));
        }
        wentWrong("number " + doubtful.number() + " may take effect: ", doubtful.why());
    }

    private void failed(CallId call, Failure failure) {
        figures.failed();
        reads.remove(call);
        Open open = byCall.remove(call);
        if (open != null) {
            byName.remove(open.name, open);
            world.monitor().check(new Fact.UpdateFailed(open.update, failure));
        }
        wentWrong("call " + call + " failed: ", failure);
    }

    private void wentWrong(String what, Failure failure) {
        world.trace().remark(world.timeline().now(), name, what + failure);
        world.monitor().check(new Fact.Failed(client, failure));
    }

    /** The client is gone with all that it had in memory: what was never signed was never made. */
    void crashed() {
        reads.clear();
        byCall.values().removeIf(open -> {
            boolean forgotten = open.name == null;
            if (forgotten) {
                figures.forgotten();
                world.monitor().check(new Fact.UpdateForgotten(open.update));
            }
            return forgotten;
        });
    }
}
