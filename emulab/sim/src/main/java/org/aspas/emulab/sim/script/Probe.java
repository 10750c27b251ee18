package org.aspas.emulab.sim.script;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.aspas.appserver.core.state.ConnectionId;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.wire.Answer;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.Decoded;
import org.aspas.certify.wire.Frame;
import org.aspas.certify.wire.Hello;
import org.aspas.certify.wire.Read;
import org.aspas.certify.wire.Refusal;
import org.aspas.certify.wire.Response;
import org.aspas.emulab.sim.engine.Timeline;
import org.aspas.emulab.sim.invariant.FinalRead;
import org.aspas.emulab.sim.node.ClientLines;
import org.aspas.emulab.sim.node.Wire;

/**
 * Asks an appserver for the live and the certified value of each object, as any client could: what is refused is asked again a
 * little later, and a connection that ends is made again.
 */
final class Probe implements ClientLines.Caller {
    record Question(String key, String type) {}

    private final SimulatedSystem system;
    private final int server;
    private final List<Question> questions;
    private static final long PAUSE = 250 * Timeline.MILLI;

    private final TreeMap<Long, Read> open = new TreeMap<>();
    private ConnectionId connection = ConnectionId.NONE;
    private String lastRefusal = "";
    private final List<FinalRead> answers = new ArrayList<>();

    Probe(SimulatedSystem system, int server, List<Question> questions) {
        this.system = system;
        this.server = server;
        this.questions = questions;
    }

    void start() {
        for (Question question : questions) {
            for (boolean certified : new boolean[] {false, true}) {
                long nonce = open.size() + 1L;
                open.put(nonce, new Read(nonce, question.key(), question.type(), certified, CertificateNumber.NONE));
            }
        }
        connect();
    }

    private void connect() {
        connection = system.world.lines().connect("probe-" + server, NodeId.appserver(server), this);
    }

    List<FinalRead> answers() {
        return answers;
    }

    /** Whether every question was answered. */
    boolean complete() {
        return open.isEmpty();
    }

    /** The questions without an answer, one sentence each. */
    List<String> unanswered() {
        return open.values().stream()
                .map(read -> "appserver " + server + " does not answer what " + (read.certified() ? "certified " : "")
                        + read.key() + " is" + (lastRefusal.isEmpty() ? "" : ", last refusal: " + lastRefusal))
                .toList();
    }

    @Override
    public void connected(ConnectionId number) {
        // The server greets first.
    }

    @Override
    public void frame(ConnectionId number, Wire wire) {
        if (!(wire.decoded() instanceof Decoded.Accepted<Frame> accepted)
                || !(accepted.value() instanceof Frame.Plain plain)) {
            return;
        }
        if (plain.message() instanceof Hello) {
            open.values().forEach(read -> system.world.lines().toServer(number, Wire.of(read)));
        } else if (plain.message() instanceof Answer answer) {
            Response response = answer.response().message();
            Read read = response.isUpdate() ? null : open.remove(response.reference());
            if (read != null) {
                answers.add(new FinalRead(
                        server,
                        read.key(),
                        read.type(),
                        read.certified(),
                        response.version(),
                        response.roots(),
                        response.certificate().value(),
                        response.result()));
            }
        } else if (plain.message() instanceof Refusal refusal) {
            lastRefusal = refusal.reason().name();
            system.timeline.after(PAUSE, () -> askAgain(number, refusal.reference()));
        }
    }

    private void askAgain(ConnectionId number, long nonce) {
        Read read = open.get(nonce);
        if (read != null && number.equals(connection)) {
            system.world.lines().toServer(number, Wire.of(read));
        }
    }

    @Override
    public void closed(ConnectionId number) {
        if (number.equals(connection) && !open.isEmpty()) {
            system.timeline.after(PAUSE, this::connect);
        }
    }
}
