package org.aspas.emulab.sim.adversary;

import static org.aspas.emulab.sim.adversary.Fields.with;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.aspas.appserver.core.state.ConnectionId;
import org.aspas.certify.identity.ClientId;
import org.aspas.certify.wire.Answer;
import org.aspas.certify.wire.Certificate;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.ClientSigned;
import org.aspas.certify.wire.Confirmation;
import org.aspas.certify.wire.Confirmation.Covered;
import org.aspas.certify.wire.Frame;
import org.aspas.certify.wire.Message;
import org.aspas.certify.wire.Request;
import org.aspas.certify.wire.Response;
import org.aspas.crdt.clock.Dot;
import org.aspas.emulab.sim.node.ByzantineBehavior;
import org.jspecify.annotations.Nullable;

/**
 * A server that enters no update of some clients. It answers each with the place, the leaf and the version of an entry of another
 * client, and confirms it by that entry's genuine proof: only the leaf tells that the entry holds another client's words.
 */
final class SharedPlaces implements ByzantineBehavior {
    private static final double CHEATED = 0.5;
    private static final int MOST_WAITING = 100;
    private static final int MOST_PLACES = 1_000;

    /** An update that a place was given to, or waits for one. */
    private record Cheated(ConnectionId connection, ClientId client, long number) {}

    private final AdversaryContext context;
    private final Map<ClientId, Boolean> lots = new HashMap<>();
    private final Map<ConnectionId, ClientId> victims = new HashMap<>();
    private final Map<ClientId, Long> sequences = new HashMap<>();
    private final Map<ClientId, CertificateNumber> certificates = new HashMap<>();
    private final Deque<Cheated> waiting = new ArrayDeque<>();
    /** By the sequence number of the entry whose place they were given. */
    private final TreeMap<Long, List<Cheated>> placed = new TreeMap<>();

    SharedPlaces(AdversaryContext context) {
        this.context = context;
    }

    @Override
    public boolean takes(int core, ConnectionId connection, Frame frame) {
        if (!context.begun().getAsBoolean() || !(frame.message() instanceof ClientSigned claim)) {
            return true;
        }
        ClientId client = claim.client();
        if (!lots.computeIfAbsent(client, any -> context.chance().happens(CHEATED))) {
            return true;
        }
        victims.put(connection, client);
        if (!(claim instanceof Request request)) {
            return true;
        }
        if (waiting.size() < MOST_WAITING) {
            waiting.addLast(new Cheated(connection, client, request.number()));
        }
        return false;
    }

    @Override
    public void toClient(int core, ConnectionId connection, Message message, Exit exit) {
        ClientId victim = victims.get(connection);
        if (victim == null) {
            exit.client(connection, message);
            learn(message, exit);
        } else if (message instanceof Answer answer) {
            Response response = answer.response().message();
            exit.client(connection, answer(answer, victim, response.reference(), answer.certificate()));
        } else {
            exit.client(connection, message);
        }
    }

    private void learn(Message message, Exit exit) {
        if (message instanceof Answer answer) {
            Dot dot = answer.response().message().dot();
            if (dot != null && answer.response().message().reference() != 0) {
                give(dot, answer, exit);
            }
        } else if (message instanceof Confirmation confirmation) {
            confirmation.covered().forEach(covered -> confirm(confirmation.certificate(), covered, exit));
        }
    }

    /** Gives the place of an entry to the update that has waited longest, if its client was not told of a later certificate. */
    private void give(Dot dot, Answer answer, Exit exit) {
        Cheated next = waiting.peekFirst();
        if (next == null
                || certificates
                        .getOrDefault(next.client(), CertificateNumber.NONE)
                        .isAfter(answer.response().message().certificate())) {
            return;
        }
        waiting.removeFirst();
        exit.client(next.connection(), answer(answer, next.client(), next.number(), null));
        placed.computeIfAbsent(dot.sequence(), any -> new ArrayList<>()).add(next);
        if (placed.size() > MOST_PLACES) {
            placed.pollFirstEntry();
        }
    }

    private void confirm(Certificate certificate, Covered covered, Exit exit) {
        List<Cheated> all = placed.remove(covered.dot().sequence());
        if (all == null) {
            return;
        }
        for (Cheated one : all) {
            Covered lie = new Covered(one.number(), covered.dot(), covered.proof());
            exit.client(one.connection(), new Confirmation(one.client(), certificate, List.of(lie)));
        }
    }

    /** The answer as one to a cheated client, whose answers are numbered here. */
    private Answer answer(Answer answer, ClientId client, long reference, @Nullable Certificate certificate) {
        Response given = answer.response().message();
        certificates.merge(client, given.certificate(), CertificateNumber::max);
        Response response = with(
                given, "sequence", sequences.merge(client, 1L, Long::sum), "client", client, "reference", reference);
        return new Answer(context.sealer().seal(response), certificate, answer.proof());
    }
}
