package org.aspas.certify.wire;

import java.util.List;

/**
 * A signed answer, what it answers, and f+1 signed replies of others who computed another value from the same logs. It
 * is a reason to recompute; the verdict needs f+1 servers that found the same (the protocol page, §7, §8).
 *
 * @param replies the replies, by ascending server, each server once
 */
public record WrongAnswer(Signed<Response> response, Question question, List<Signed<InspectReply>> replies)
        implements Evidence {
    private static final Item<List<Signed<InspectReply>>> REPLIES =
            Item.ascending(InspectReply.SIGNED, reply -> reply.message().server());

    static final Schema<WrongAnswer> SCHEMA = items -> new WrongAnswer(
            items.of(Response.SIGNED, WrongAnswer::response),
            items.of(Question.ITEM, WrongAnswer::question),
            items.of(REPLIES, WrongAnswer::replies));

    public WrongAnswer {
        replies = List.copyOf(replies);
    }

    @Override
    public Accused accused() {
        return new Accused.Server(response.message().server());
    }
}
