package org.aspas.emulab.baselines.bft;

import java.nio.ByteBuffer;
import java.util.Map;
import java.util.TreeMap;

/** The answers of replicas to one question: one is believed when b+1 gave it, for one of these is correct. Not thread-safe. */
final class EqualAnswers {
    private final int enough;
    private final Map<Integer, ByteBuffer> answers = new TreeMap<>();

    /** No answers; so many equal ones are enough. */
    EqualAnswers(int enough) {
        this.enough = enough;
    }

    /** Takes a replica's first answer; true when it is believed now. */
    boolean take(int replica, byte[] answer) {
        ByteBuffer content = ByteBuffer.wrap(answer);
        answers.putIfAbsent(replica, content);
        return answers.values().stream().filter(content::equals).count() >= enough;
    }
}
