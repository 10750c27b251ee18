package org.aspas.emulab.baselines.ap;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.aspas.appserver.core.state.ConnectionId;
import org.aspas.appserver.core.state.CoreSettings;
import org.aspas.appserver.core.state.Event;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.identity.Role;
import org.aspas.certify.wire.ClientSigned;
import org.aspas.certify.wire.Entry;
import org.aspas.certify.wire.Frame;
import org.aspas.certify.wire.Frontier;
import org.aspas.certify.wire.Pull;
import org.aspas.certify.wire.Read;
import org.aspas.certify.wire.Refusal;
import org.aspas.certify.wire.Request;
import org.aspas.certify.wire.Signed;
import org.aspas.crdt.clock.VersionVector;
import org.aspas.crdt.polog.Tagged;
import org.aspas.crdt.type.Crdt;
import org.aspas.crdt.type.DataType;
import org.aspas.crdt.type.DataTypes;
import org.aspas.crdt.value.Value;
import org.aspas.emulab.baselines.shell.ShellMachine;

/**
 * One server of an available, causally consistent store of CRDTs: it answers an update at once, from what it has, and spreads it
 * afterwards. Every server is believed. For the thread that drives it.
 */
public final class CausalMachine extends ShellMachine {
    private final CausalLogs logs;
    private final CausalBroadcast broadcast;
    private final Map<String, Crdt> objects = new HashMap<>();

    public CausalMachine(CoreSettings settings) {
        super(settings);
        this.logs = new CausalLogs(settings.index(), settings.quorums().appservers());
        this.broadcast = new CausalBroadcast(settings, logs);
    }

    @Override
    protected void update(ConnectionId connection, Signed<Request> signed) {
        Request request = signed.message();
        Optional<String> unfit = unfit(request.key(), request.type())
                .or(() -> type(request.type()).flatMap(type -> type.check(request.operation())));
        if (unfit.isPresent()) {
            refuse(connection, request, Refusal.Reason.BAD_OPERATION, unfit.get());
            return;
        }
        Entry entry = logs.append(signed.as(ClientSigned.class)
                .orElseThrow(() -> new IllegalStateException("a request is what clients sign")));
        apply(entry);
        answer(connection, request.number(), entry.dot(), logs.version(), result(request));
        broadcast.appended();
        broadcast.take().forEach(this::emit);
    }

    private Value result(Request request) {
        Crdt object = objects.get(request.key());
        return object != null && request.type().equals(DataTypes.PN_COUNTER.name())
                ? object.value()
                : Value.sequence(List.of());
    }

    private static Optional<DataType> type(String name) {
        return DataTypes.byName(name);
    }

    /** Why there is no object of this type under a key. */
    private Optional<String> unfit(String key, String type) {
        if (type(type).isEmpty()) {
            return Optional.of("there is no such datatype");
        }
        Crdt object = objects.get(key);
        return object == null || object.type().name().equals(type)
                ? Optional.empty()
                : Optional.of("the object is of type " + object.type().name());
    }

    /** Two types that were entered for one key at once: the one delivered first stays, here. Clients give a key one type. */
    private void apply(Entry entry) {
        Request request = (Request) entry.body().message();
        if (unfit(request.key(), request.type()).isEmpty()) {
            objects.computeIfAbsent(
                            request.key(),
                            key -> type(request.type()).orElseThrow().empty())
                    .apply(new Tagged(entry.dot(), entry.dependencies(), request.operation()));
        }
    }

    @Override
    protected void read(ConnectionId connection, Read read) {
        Optional<String> unfit = unfit(read.key(), read.type());
        if (unfit.isPresent()) {
            refuse(connection, read, Refusal.Reason.WRONG_TYPE, unfit.get());
            return;
        }
        Crdt object = objects.get(read.key());
        Value value = object == null ? type(read.type()).orElseThrow().empty().value() : object.value();
        answer(connection, read, logs.version(), value);
    }

    @Override
    protected void happened(Event event) {
        if (event instanceof Event.NodeBatch sent) {
            broadcast.batch(sent.from(), sent.batch()).forEach(this::apply);
        } else if (event instanceof Event.NodeFrame sent && sent.frame() instanceof Frame.Plain plain) {
            node(sent.from(), plain);
        } else if (event instanceof Event.NodeConnected up && up.node().role() == Role.APPSERVER) {
            broadcast.connected(up.node());
        } else if (event instanceof Event.NodeGone down) {
            broadcast.gone(down.node());
        } else if (event instanceof Event.Tick tick) {
            broadcast.tick(tick.nowMillis());
        }
        broadcast.take().forEach(this::emit);
    }

    private void node(NodeId from, Frame.Plain plain) {
        if (plain.message() instanceof Frontier frontier) {
            broadcast.frontier(from, frontier);
        } else if (plain.message() instanceof Pull pull) {
            broadcast.answer(from, pull);
        }
    }

    @Override
    protected VersionVector version() {
        return logs.version();
    }
}
