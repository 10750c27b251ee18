package org.aspas.emulab.sim.run;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.aspas.certify.codec.Decoded;
import org.aspas.certify.codec.Frame;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.message.Answer;
import org.aspas.certify.message.Hello;
import org.aspas.certify.message.Read;
import org.aspas.certify.message.Response;
import org.aspas.emulab.sim.invariant.FinalRead;
import org.aspas.emulab.sim.network.ClientLines;
import org.aspas.emulab.sim.network.Wire;

/** Asks an appserver for the live and the certified value of each object, as any client could. */
final class Probe implements ClientLines.Caller {
    /** An object and its datatype. */
    record Question(String key, String type) {}

    private final Stage stage;
    private final int server;
    private final List<Question> questions;
    private final Map<Long, Read> asked = new HashMap<>();
    private final List<FinalRead> answers = new ArrayList<>();

    Probe(Stage stage, int server, List<Question> questions) {
        this.stage = stage;
        this.server = server;
        this.questions = questions;
    }

    void start() {
        stage.world.lines().connect("probe-" + server, NodeId.appserver(server), this);
    }

    List<FinalRead> answers() {
        return answers;
    }

    /** Whether every question was answered. */
    boolean complete() {
        return answers.size() == 2 * questions.size();
    }

    @Override
    public void connected(long connection) {
        // The server greets first.
    }

    @Override
    public void frame(long connection, Wire wire) {
        if (!(wire.decoded() instanceof Decoded.Accepted<Frame> accepted)
                || !(accepted.value() instanceof Frame.Plain plain)) {
            return;
        }
        if (plain.message() instanceof Hello) {
            for (Question question : questions) {
                ask(connection, question, false);
                ask(connection, question, true);
            }
        } else if (plain.message() instanceof Answer answer) {
            Response response = answer.response().message();
            Read read = asked.get(response.reference());
            if (read != null && !response.isUpdate()) {
                answers.add(new FinalRead(
                        server,
                        read.key(),
                        read.type(),
                        read.certified(),
                        response.version(),
                        response.roots(),
                        response.certificate(),
                        response.result()));
            }
        }
    }

    private void ask(long connection, Question question, boolean certified) {
        Read read = new Read(asked.size() + 1L, question.key(), question.type(), certified, 0);
        asked.put(read.nonce(), read);
        stage.world.lines().toServer(connection, Wire.of(read));
    }

    @Override
    public void closed(long connection) {
        // What was not answered is not known.
    }
}
