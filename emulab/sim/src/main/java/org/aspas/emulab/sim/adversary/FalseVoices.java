package org.aspas.emulab.sim.adversary;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.aspas.certify.wire.Evidence;
import org.aspas.certify.wire.InspectReply;
import org.aspas.certify.wire.InspectReply.Outcome;
import org.aspas.certify.wire.Question;
import org.aspas.certify.wire.Response;
import org.aspas.certify.wire.Signed;
import org.aspas.certify.wire.WrongAnswer;

/**
 * Makes WRONG_ANSWER evidence that is false by its signatures alone, whoever the accused is: fewer than f+1 genuine replies of
 * servers that call the answer wrong, alone, or among replies that the liar signed in the names of the others.
 */
final class FalseVoices {
    private static final int REMEMBERED = 40;

    private final AdversaryContext power;
    private final List<FalseEvidence.Asked> answers = new ArrayList<>();
    private final List<Signed<InspectReply>> voices = new ArrayList<>();

    FalseVoices(AdversaryContext power) {
        this.power = power;
    }

    /** Learns an answer. */
    void answer(Signed<Response> response, Question question) {
        power.chance().keep(answers, new FalseEvidence.Asked(response, question), REMEMBERED);
    }

    /** Learns what a server that inspected found. */
    void reply(Signed<InspectReply> signed) {
        if (signed.message().outcome() == Outcome.DIFFERS) {
            power.chance().keep(voices, signed, REMEMBERED);
        }
    }

    /** Some false evidence, if there is an answer to make it of. */
    Optional<Evidence> any() {
        if (answers.isEmpty()) {
            return Optional.empty();
        }
        FalseEvidence.Asked asked = power.chance().pick(answers);
        boolean alone = power.chance().happens(0.3);
        TreeMap<Integer, Signed<InspectReply>> replies = genuine(asked);
        for (int server = 0; !alone && server < power.quorums().appservers(); server++) {
            if (server != asked.response().message().server()) {
                replies.putIfAbsent(server, forged(asked, server));
            }
        }
        return Optional.of(new WrongAnswer(asked.response(), asked.question(), List.copyOf(replies.values())));
    }

    /** Genuine replies of other servers that call the answer wrong, at most f. */
    private TreeMap<Integer, Signed<InspectReply>> genuine(FalseEvidence.Asked asked) {
        TreeMap<Integer, Signed<InspectReply>> some = new TreeMap<>();
        for (Signed<InspectReply> voice : voices) {
            InspectReply reply = voice.message();
            if (some.size() < power.quorums().oneCorrectAppserver() - 1
                    && reply.answer().equals(asked.response().identity())
                    && reply.server() != asked.response().message().server()) {
                some.put(reply.server(), voice);
            }
        }
        return some;
    }

    private Signed<InspectReply> forged(FalseEvidence.Asked asked, int server) {
        Response response = asked.response().message();
        return power.sealer()
                .seal(new InspectReply(
                        server, response.client(), 1, asked.response().identity(), response.roots(), Outcome.DIFFERS));
    }
}
