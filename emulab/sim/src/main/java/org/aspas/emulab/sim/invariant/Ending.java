package org.aspas.emulab.sim.invariant;

import java.util.List;

/**
 * How a run came to rest.
 *
 * @param unsettled what was still open when patience ended; empty when all came to rest
 * @param unanswered the questions that a correct appserver left without an answer, one sentence each
 */
public record Ending(List<String> unsettled, List<FinalRead> reads, List<String> unanswered) {
    public Ending {
        unsettled = List.copyOf(unsettled);
        reads = List.copyOf(reads);
        unanswered = List.copyOf(unanswered);
    }
}
