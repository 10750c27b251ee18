package org.aspas.emulab.baselines.ap;

import java.util.List;
import org.aspas.appserver.core.state.ConnectionId;
import org.aspas.appserver.core.state.CoreSettings;
import org.aspas.appserver.core.state.Event;
import org.aspas.certify.wire.Read;
import org.aspas.certify.wire.Request;
import org.aspas.certify.wire.Signed;
import org.aspas.crdt.clock.Dot;
import org.aspas.crdt.clock.VersionVector;
import org.aspas.crdt.type.DataTypes;
import org.aspas.crdt.value.Value;
import org.aspas.emulab.baselines.shell.ShellMachine;

/** Answers every update and read at once, and keeps nothing. For the thread that drives it. */
public final class EchoMachine extends ShellMachine {
    private VersionVector version;

    public EchoMachine(CoreSettings settings) {
        super(settings);
        this.version = VersionVector.zero(settings.quorums().appservers());
    }

    @Override
    protected void update(ConnectionId connection, Signed<Request> request) {
        Dot dot = new Dot(settings().index(), version.get(settings().index()) + 1);
        version = version.with(dot.origin(), dot.sequence());
        answer(
                connection,
                request.message().number(),
                dot,
                version,
                value(request.message().type(), dot.sequence()));
    }

    @Override
    protected void read(ConnectionId connection, Read read) {
        answer(
                connection,
                read,
                version,
                value(read.type(), version.get(settings().index())));
    }

    private static Value value(String type, long number) {
        return type.equals(DataTypes.PN_COUNTER.name()) ? Value.of(number) : Value.sequence(List.of());
    }

    @Override
    protected void happened(Event event) {
        // Nobody else's affairs are those of an echo.
    }

    @Override
    protected VersionVector version() {
        return version;
    }
}
