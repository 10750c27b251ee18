package org.aspas.certify.wire;

import java.util.List;

/**
 * An appserver's ordered command to exclude (the protocol page, §8): evidence that proves its case by itself, or else
 * with the verdicts of f+1 appservers.
 *
 * @param verdicts by ascending server, each server once; empty when the evidence needs none
 */
public record Verdict(int server, Evidence evidence, List<Signed<Blacklist>> verdicts) implements Message {
    private static final Item<List<Signed<Blacklist>>> VERDICTS =
            Item.ascending(Blacklist.SIGNED, one -> one.message().server());

    static final Schema<Verdict> SCHEMA = items -> new Verdict(
            items.index(Verdict::server),
            items.of(Item.EVIDENCE, Verdict::evidence),
            items.of(VERDICTS, Verdict::verdicts));

    public Verdict {
        verdicts = List.copyOf(verdicts);
    }
}
