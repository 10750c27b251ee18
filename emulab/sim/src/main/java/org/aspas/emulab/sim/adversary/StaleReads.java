package org.aspas.emulab.sim.adversary;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.aspas.appserver.core.state.ConnectionId;
import org.aspas.certify.wire.Answer;
import org.aspas.certify.wire.Certificate;
import org.aspas.certify.wire.Confirmation;
import org.aspas.certify.wire.Frame;
import org.aspas.certify.wire.Message;
import org.aspas.certify.wire.Read;
import org.aspas.emulab.sim.node.ByzantineBehavior;
import org.jspecify.annotations.Nullable;

/**
 * A server that gives certified reads of an old certificate, with their genuine proof, to connections that began after it, and names no
 * newer one there: nothing but what the client has seen before tells that the value is old.
 */
final class StaleReads implements ByzantineBehavior {
    private record Asked(ConnectionId connection, long nonce) {}

    private record Of(String key, String type) {}

    private final Answers answers;
    private final Map<Asked, Of> asked = new HashMap<>();
    private final Map<Of, Answer> kept = new HashMap<>();
    private final Set<ConnectionId> early = new HashSet<>();
    private @Nullable Certificate old;

    StaleReads(AdversaryContext power) {
        this.answers = new Answers(power.sealer());
    }

    @Override
    public boolean takes(int core, ConnectionId connection, Frame frame) {
        if (frame instanceof Frame.Plain plain && plain.message() instanceof Read read && read.certified()) {
            asked.put(new Asked(connection, read.nonce()), new Of(read.key(), read.type()));
        }
        return true;
    }

    @Override
    public void toClient(int core, ConnectionId connection, Message message, Exit exit) {
        Certificate stale = old;
        if (stale == null) {
            early.add(connection);
        }
        boolean late = !early.contains(connection);
        if (message instanceof Answer answer) {
            Of of = asked.remove(
                    new Asked(connection, answer.response().message().reference()));
            if (of != null && answer.proof() != null) {
                learn(of, answer);
            }
            if (late && stale != null) {
                stale(connection, answer, of, stale, exit);
                return;
            }
        }
        if (!late || !(message instanceof Confirmation)) {
            exit.client(connection, message);
        }
    }

    private void learn(Of of, Answer answer) {
        Certificate certificate = answer.certificate();
        if (old == null) {
            old = certificate;
        }
        if (certificate != null && certificate.equals(old)) {
            kept.putIfAbsent(of, answer);
        }
    }

    private void stale(ConnectionId connection, Answer answer, @Nullable Of of, Certificate stale, Exit exit) {
        Answers.Edit edit = Answers.edit(answer).naming(stale);
        Answer before = of == null ? null : kept.get(of);
        if (before != null) {
            Answer lie = answers.changed(
                    answer, edit.result(before.response().message().result()));
            exit.client(connection, new Answer(lie.response(), stale, before.proof()));
        } else if (of == null) {
            exit.client(connection, answers.with(answers.changed(answer, edit), stale));
        }
    }
}
