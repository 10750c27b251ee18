package org.aspas.emulab.baselines.shell;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.aspas.appserver.core.state.AppServerMachine;
import org.aspas.appserver.core.state.ConnectionId;
import org.aspas.appserver.core.state.CoreSettings;
import org.aspas.appserver.core.state.CoreStatus;
import org.aspas.appserver.core.state.Effect;
import org.aspas.appserver.core.state.Event;
import org.aspas.appserver.core.state.ObjectQueries;
import org.aspas.appserver.core.state.ServerState;
import org.aspas.certify.identity.ClientId;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.wire.Answer;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.Frame;
import org.aspas.certify.wire.Hello;
import org.aspas.certify.wire.Message;
import org.aspas.certify.wire.OpenSession;
import org.aspas.certify.wire.Read;
import org.aspas.certify.wire.Refusal;
import org.aspas.certify.wire.Request;
import org.aspas.certify.wire.Response;
import org.aspas.certify.wire.Signed;
import org.aspas.crdt.clock.Dot;
import org.aspas.crdt.clock.VersionVector;
import org.aspas.crdt.value.Value;
import org.jspecify.annotations.Nullable;

/**
 * The common base of the baselines' machines: the client's side of the appserver's protocol, without certificates and signatures.
 * For the thread that drives it.
 */
public abstract class ShellMachine implements AppServerMachine {
    private static final ClientId NOBODY = ClientId.NOBODY;

    private final CoreSettings settings;
    private final Map<ConnectionId, ClientId> clients = new HashMap<>();
    private final List<Effect> effects = new ArrayList<>();
    private long answers;

    protected ShellMachine(CoreSettings settings) {
        this.settings = settings;
    }

    protected final CoreSettings settings() {
        return settings;
    }

    @Override
    public final List<Effect> step(Event event) {
        if (event instanceof Event.ClientOpened opened) {
            emit(new Effect.ToClient(
                    opened.connection(), new Hello(settings.verifier().deployment(), settings.index())));
        } else if (event instanceof Event.ClientGone gone) {
            clients.remove(gone.connection());
        } else if (event instanceof Event.ClientFrame frame) {
            client(frame.connection(), frame.frame());
        } else {
            happened(event);
        }
        List<Effect> taken = List.copyOf(effects);
        effects.clear();
        return taken;
    }

    private void client(ConnectionId connection, Frame frame) {
        if (frame instanceof Frame.Plain plain && plain.message() instanceof Read read) {
            read(connection, read);
        } else if (frame instanceof Frame.Sealed sealed && sealed.signed().message() instanceof OpenSession open) {
            clients.put(connection, open.client());
            // The answer to a session names an entry; here none is made.
            answer(
                    connection,
                    0,
                    new Dot(settings.index(), 1),
                    VersionVector.zero(settings.quorums().appservers()),
                    Value.sequence(List.of()));
        } else if (frame instanceof Frame.Sealed sealed) {
            sealed.signed().as(Request.class).ifPresent(request -> update(connection, request));
        }
    }

    /** A client gives an update, to be answered or refused now or later. */
    protected abstract void update(ConnectionId connection, Signed<Request> request);

    /** A client asks for a value, to be answered or refused now or later. */
    protected abstract void read(ConnectionId connection, Read read);

    /** Something happened that is not a client's affair. */
    protected abstract void happened(Event event);

    /** What the machine has delivered. */
    protected abstract VersionVector version();

    /** Has the shell do something in this step, after what it has to do already. */
    protected final void emit(Effect effect) {
        effects.add(effect);
    }

    /** Answers an update, or with number 0 a session. */
    protected final void answer(ConnectionId connection, long number, Dot dot, VersionVector version, Value result) {
        send(connection, number, result, dot, version);
    }

    protected final void answer(ConnectionId connection, Read read, VersionVector version, Value result) {
        send(connection, read.nonce(), result, null, version);
    }

    private void send(ConnectionId connection, long reference, Value result, @Nullable Dot dot, VersionVector version) {
        ClientId client = clients.getOrDefault(connection, NOBODY);
        Response response = new Response(
                settings.index(),
                ++answers,
                client,
                reference,
                result,
                dot,
                Hash.ZERO,
                version,
                Hash.ZERO,
                CertificateNumber.NONE,
                Hash.ZERO);
        emit(new Effect.ToClient(connection, new Answer(NoSignatures.seal(response), null, null)));
    }

    protected final void refuse(ConnectionId connection, Message question, Refusal.Reason reason, String why) {
        Refusal refusal = question instanceof Request request
                ? new Refusal(request.client(), request.number(), false, reason, why)
                : new Refusal(((Read) question).nonce(), true, reason, why);
        emit(new Effect.ToClient(connection, refusal));
    }

    @Override
    public final ObjectQueries objects() {
        return ObjectQueries.NONE;
    }

    @Override
    public final CoreStatus status() {
        VersionVector nothing = VersionVector.zero(settings.quorums().appservers());
        return new CoreStatus(
                version(),
                CertificateNumber.NONE,
                nothing,
                new TreeMap<>(),
                new TreeMap<>(),
                true,
                ServerState.SERVING,
                "",
                List.of());
    }
}
