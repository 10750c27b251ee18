package org.aspas.certify.wire;

import java.util.List;

/**
 * An appserver's ordered command to exclude (the protocol page, §8): evidence that proves its case by itself, or else
 * with the verdicts of f+1 appservers.
 *
 * @param verdicts by ascending server, each server once; empty when the evidence needs none
 */
public record Verdict(int server, Evidence evidence, List<Signed<Blacklist>> verdicts) implements Message {
    public Verdict {
        verdicts = List.copyOf(verdicts);
    }

    @Override
    public Kind kind() {
        return Kind.VERDICT;
    }
}
