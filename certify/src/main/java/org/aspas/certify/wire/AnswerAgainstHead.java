package org.aspas.certify.wire;

import org.aspas.certify.identity.Hash;
import org.aspas.certify.log.InclusionProof;

/**
 * A signed answer that names a leaf, and another leaf at that dot under a head that the same server signed: the fork
 * between a client and the other servers, before anything is certified (the protocol page, §4, §8).
 *
 * @param proof its inclusion under the head's root
 */
public record AnswerAgainstHead(Signed<Response> response, Signed<Head> head, Hash leaf, InclusionProof proof)
        implements Evidence {
    static final Schema<AnswerAgainstHead> SCHEMA = items -> new AnswerAgainstHead(
            items.of(Response.SIGNED, AnswerAgainstHead::response),
            items.of(Head.SIGNED, AnswerAgainstHead::head),
            items.hash(AnswerAgainstHead::leaf),
            items.inclusion(AnswerAgainstHead::proof));

    @Override
    public Accused accused() {
        return new Accused.Server(response.message().server());
    }
}
