package org.aspas.certify.evidence;

import org.aspas.certify.message.Accused;

/** What signatures alone say about a piece of evidence. */
public sealed interface Judgement {
    /**
     * It proves its case.
     *
     * @param accused who is guilty
     */
    record Guilty(Accused accused) implements Judgement {}

    /**
     * It is well signed, and proves its case only together with a recomputation of the answer.
     *
     * @param accused who is guilty if the recomputation gives another value
     */
    record NeedsReplay(Accused accused) implements Judgement {}

    /**
     * It proves nothing.
     *
     * @param why one sentence
     */
    record Unfounded(String why) implements Judgement {}
}
