package org.aspas.emulab.baselines.bft;

import java.util.HashMap;
import java.util.Map;
import org.aspas.appserver.core.state.ConnectionId;
import org.aspas.appserver.core.state.CoreSettings;
import org.aspas.appserver.core.state.Effect;
import org.aspas.appserver.core.state.Event;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.identity.Role;
import org.aspas.certify.wire.Answer;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Frame;
import org.aspas.certify.wire.Message;
import org.aspas.certify.wire.Read;
import org.aspas.certify.wire.Request;
import org.aspas.certify.wire.Response;
import org.aspas.certify.wire.Signed;
import org.aspas.crdt.clock.Dot;
import org.aspas.crdt.clock.VersionVector;
import org.aspas.emulab.baselines.shell.ShellMachine;

/**
 * An appserver that has everything ordered: it sends what a client asks to all replicas, and answers what b+1 of them answer
 * alike. It is believed by its clients. For the thread that drives it.
 */
public final class RelayMachine extends ShellMachine {
    private static final long AGAIN_MILLIS = 2_000;

    private static final class Pending {
        final ConnectionId connection;
        final Message asked;
        final Effect[] sending;
        final EqualAnswers answers;
        long sentMillis;

        Pending(ConnectionId connection, Message asked, Effect[] sending, int enough, long now) {
            this.connection = connection;
            this.asked = asked;
            this.sending = sending;
            this.answers = new EqualAnswers(enough);
            this.sentMillis = now;
        }
    }

    private final Map<AskedCommand, Pending> pending = new HashMap<>();
    private final VersionVector nothing;
    private long nonces;
    private long now;

    public RelayMachine(CoreSettings settings) {
        super(settings);
        this.nothing = VersionVector.zero(settings.quorums().appservers());
    }

    @Override
    protected void update(ConnectionId connection, Signed<Request> signed) {
        Request request = signed.message();
        Effect[] sending = settings().bftservers().stream()
                .map(replica -> new Effect.ToNodeSigned(replica, signed))
                .toArray(Effect[]::new);
        ask(connection, new AskedCommand(request.client(), true, request.number()), request, sending);
    }

    /** The appserver asks under a nonce of its own: those of its clients may be equal. */
    @Override
    protected void read(ConnectionId connection, Read read) {
        Read own = new Read(++nonces, read.key(), read.type(), false, read.certificate());
        Effect[] sending = settings().bftservers().stream()
                .map(replica -> new Effect.ToNode(replica, own))
                .toArray(Effect[]::new);
        ask(connection, new AskedCommand(OrderedStore.NOBODY, false, own.nonce()), read, sending);
    }

    private void ask(ConnectionId connection, AskedCommand question, Message asked, Effect[] sending) {
        int enough = settings().quorums().oneCorrectBftserver();
        pending.put(question, new Pending(connection, asked, sending, enough, now));
        for (Effect effect : sending) {
            emit(effect);
        }
    }

    @Override
    protected void happened(Event event) {
        if (event instanceof Event.NodeFrame sent
                && sent.from().role() == Role.BFTSERVER
                && sent.frame() instanceof Frame.Plain plain
                && plain.message() instanceof Answer answer) {
            answered(sent.from(), answer);
        } else if (event instanceof Event.Tick tick) {
            now = tick.nowMillis();
            pending.values().forEach(this::sendAgain);
        }
    }

    private void sendAgain(Pending asked) {
        if (now - asked.sentMillis > AGAIN_MILLIS) {
            asked.sentMillis = now;
            for (Effect effect : asked.sending) {
                emit(effect);
            }
        }
    }

    private void answered(NodeId replica, Answer answer) {
        Response response = answer.response().message();
        AskedCommand question = AskedCommand.of(response);
        Pending asked = pending.get(question);
        if (asked == null || !asked.answers.take(replica.index(), Codec.encode(answer))) {
            return;
        }
        pending.remove(question);
        if (asked.asked instanceof Read read) {
            answer(asked.connection, read, nothing, response.result());
        } else {
            Dot dot = response.dot() == null ? new Dot(settings().index(), 1) : response.dot();
            answer(asked.connection, response.reference(), dot, nothing, response.result());
        }
    }

    @Override
    protected VersionVector version() {
        return nothing;
    }
}
