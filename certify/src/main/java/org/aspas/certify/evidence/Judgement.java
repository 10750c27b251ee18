package org.aspas.certify.evidence;

import org.aspas.certify.wire.Accused;

/** What signatures alone say about a piece of evidence. */
public sealed interface Judgement {
    /** It proves its case. */
    record Guilty(Accused accused) implements Judgement {}

    /**
     * It is well signed, and proves its case only together with a recomputation of the answer.
     *
     * @param accused who is guilty if the recomputation gives another value
     */
    record NeedsReplay(Accused accused) implements Judgement {}

    /**
     * The accused signed it, and it names an incarnation of an origin that is not open here: whether it proves anything is not known. Whoever
     * shows it need not have lied.
     */
    record CannotConfirm(String why) implements Judgement {}

    /** It proves nothing. */
    record Unfounded(String why) implements Judgement {}
}
